import { Button, Skeleton } from '@mantine/core';
import { IconDownload, IconStack2 } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { StateFilter } from '../../kit/list/state-filter.tsx';
import { loadedPart } from '../../kit/loaded-part.tsx';
import { NoRights } from '../../session/no-rights.tsx';
import { useHasRights } from '../../session/use-has-rights.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { FeedBadge } from './feed-badge.tsx';
import { useJobColumns } from './job-columns.tsx';
import { SHOWN } from './job-filter.ts';
import { useJobList } from './job-list.ts';

/** Loaded once a row is selected. */
const JobBar = loadedPart(() => import('./job-bar.tsx'));
/** Loaded after the list, which does not wait for it. */
const MoreFilters = loadedPart(() => import('./more-filters.tsx'), <Skeleton height={36} />);

export function Component() {
  const t = useMessages('staging');
  const navigate = useNavigate();
  const hasRights = useHasRights();
  const list = useJobList();
  const { state, change } = list;
  useShortcut('n', t.pull, () => void navigate('/staging/new'));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <FeedBadge />
        {hasRights && <PullButton />}
      </PageHead>
      <FilterBar
        list={list}
        search={t.search}
        saved="staging"
        states={
          <StateFilter
            label={t.filterLabel}
            values={SHOWN}
            names={t.filters}
            value={state.show}
            onChange={(show) => change({ show })}
          />
        }
      >
        <MoreFilters list={list} />
      </FilterBar>
      <ListView
        list={list}
        columns={useJobColumns()}
        words={t}
        count={t.jobs}
        empty={
          hasRights ? (
            <EmptyState icon={IconStack2} title={t.emptyTitle} text={t.emptyText}>
              <PullButton />
            </EmptyState>
          ) : (
            <NoRights />
          )
        }
      >
        {(selectable) =>
          selectable.table.selection.ids.length > 0 && <JobBar list={selectable} state={state} />
        }
      </ListView>
    </>
  );
}

function PullButton() {
  return (
    <Button component={Link} to="/staging/new" leftSection={<IconDownload size={16} />}>
      {useMessages('staging').pull}
    </Button>
  );
}
