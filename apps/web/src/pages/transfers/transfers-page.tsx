import { Button, Group } from '@mantine/core';
import { IconArrowsTransferUp, IconCalendarClock } from '@tabler/icons-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ChoiceField } from '../../kit/form/choice-field.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { useScheduleWords } from './schedule-words.ts';
import { ScheduleTable } from './schedules/schedule-table.tsx';
import { TransferList } from './transfer-list.tsx';
import { useTransfersWords } from './transfers-words.ts';

const VIEWS = ['transfers', 'schedules'] as const;

export function Component() {
  const t = useTransfersWords();
  const schedule = useScheduleWords();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const view = search.get('show') === 'schedules' ? 'schedules' : 'transfers';
  useShortcut('n', t.create, () => void navigate('/transfers/new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {view === 'schedules' && (
          <Button
            component={Link}
            to="/transfers/schedules/new"
            variant="default"
            leftSection={<IconCalendarClock size={16} />}
          >
            {schedule.create}
          </Button>
        )}
        <Button
          component={Link}
          to="/transfers/new"
          leftSection={<IconArrowsTransferUp size={16} />}
        >
          {t.create}
        </Button>
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
      {view === 'transfers' ? <TransferList /> : <ScheduleTable />}
    </>
  );
}
