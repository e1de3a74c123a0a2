/** Leads between requests of reviews and the risks that were accepted. */
import { Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { ChoiceField } from '../../kit/form/choices.tsx';

const VIEWS = ['reviews', 'waivers'] as const;
type View = (typeof VIEWS)[number];

export function ReviewTabs({ view }: { view: View }) {
  const t = useMessages('reviewTabs');
  const navigate = useNavigate();
  return (
    <Group mb="sm" maw={360}>
      <ChoiceField
        label={t.label}
        values={VIEWS}
        names={t.views}
        value={view}
        onChange={(chosen: View) => void navigate(`/${chosen}`)}
      />
    </Group>
  );
}
