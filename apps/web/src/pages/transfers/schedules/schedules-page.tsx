/** Shows the schedules of transfers. */
import { IconCalendarClock } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { ActButton } from '../../../kit/action/act-button.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { useHasRights } from '../../../session/no-rights.tsx';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { ScheduleList } from './schedule-list.tsx';

const NEW = '/transfers/schedules/new';

export function Component() {
  const t = useMessages('schedule');
  const navigate = useNavigate();
  const hasRights = useHasRights();
  useShortcut('n', t.create, () => void navigate(NEW));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {hasRights && (
          <ActButton to={NEW} icon={IconCalendarClock} variant="filled">
            {t.create}
          </ActButton>
        )}
      </PageHead>
      <ScheduleList />
    </>
  );
}
