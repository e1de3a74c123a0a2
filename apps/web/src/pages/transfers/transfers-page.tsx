/** Shows transfers and schedules. */
import { Button, Group } from '@mantine/core';
import { IconArrowsTransferUp, IconCalendarClock } from '@tabler/icons-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { ActButton } from '../../kit/action/act-button.tsx';
import { ChoiceField } from '../../kit/form/choices.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useHasRights } from '../../session/no-rights.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { ScheduleList } from './schedules/schedule-list.tsx';
import { TransferList } from './transfer-list.tsx';

const VIEWS = ['transfers', 'schedules'] as const;

export function Component() {
  const t = useMessages('transfers');
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const hasRights = useHasRights();
  const view = search.get('show') === 'schedules' ? 'schedules' : 'transfers';
  useShortcut('n', t.create, () => void navigate('/transfers/new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {hasRights && <Creation view={view} />}
      </PageHead>
      <Group mb="sm" maw={360}>
        <ChoiceField
          label={t.tabsLabel}
          values={VIEWS}
          names={t.tabs}
          value={view}
          onChange={(show) => setSearch(show === 'transfers' ? {} : { show })}
        />
      </Group>
      {view === 'transfers' ? <TransferList /> : <ScheduleList />}
    </>
  );
}

function Creation({ view }: { view: (typeof VIEWS)[number] }) {
  const t = useMessages('transfers');
  const schedule = useMessages('schedule');
  return (
    <>
      {view === 'schedules' && (
        <ActButton to="/transfers/schedules/new" icon={IconCalendarClock}>
          {schedule.create}
        </ActButton>
      )}
      <Button component={Link} to="/transfers/new" leftSection={<IconArrowsTransferUp size={16} />}>
        {t.create}
      </Button>
    </>
  );
}
