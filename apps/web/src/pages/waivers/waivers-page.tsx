/** Shows waivers: those to review first, to accounts that may review. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Waiver } from '@portcullis/contract';
import { IconDownload, IconShieldCheck, IconUpload } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState, NoMatch } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { useSteady } from '../../kit/steady.ts';
import { useScopeText } from '../../kit/waiver/waiver-words.ts';
import { useAccount } from '../../session/account.ts';
import { NoRights } from '../../session/no-rights.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { isReviewer } from './reviewer.ts';
import { useMayRequest } from './use-may-request.ts';
import { useWaivedName } from './use-waived-name.ts';
import { WaiverBar } from './waiver-bar.tsx';
import { useWaiverColumns } from './waiver-columns.tsx';
import { WaiverDrawer } from './waiver-drawer.tsx';
import { waiverFilter } from './waiver-filter.ts';
import { WaiverFilters } from './waiver-filters.tsx';

const listOf = (first: 'review' | 'all') =>
  defineList({
    operation: 'waivers.list',
    filter: waiverFilter(first),
    keyOf: ({ id }) => id,
    refresh: 60_000,
  });
/** By the first view of the account. */
const WAIVERS = { review: listOf('review'), all: listOf('all') };

export function Component() {
  const t = useMessages('waivers');
  const reviews = isReviewer(useAccount());
  const mayRequest = useMayRequest();
  const [importing, importer] = useDisclosure();
  const [exporting, exporter] = useDisclosure();
  const first = reviews ? 'review' : 'all';
  const list = useList(WAIVERS[first], { nameOf: useName() });
  const { state, change } = list;
  const showAll = () => {
    list.clear();
    change({ view: 'all' });
  };
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={exporter.open}>
          {t.export}
        </Button>
        {mayRequest && (
          <Button variant="default" leftSection={<IconUpload size={16} />} onClick={importer.open}>
            {t.import}
          </Button>
        )}
      </PageHead>
      <FilterBar list={list} search={t.search} saved="waivers">
        <WaiverFilters list={list} first={first} />
      </FilterBar>
      <ListView
        list={{ ...list, clear: showAll }}
        columns={useWaiverColumns(useSteady((open: string) => change({ open })))}
        words={t}
        selects={reviews}
        empty={<NoWaivers view={state.view ?? first} onAll={showAll} />}
      >
        {(selectable) => reviews && <WaiverBar list={selectable} />}
      </ListView>
      <WaiverDrawer id={state.open} onClose={() => change({ open: null })} />
      <ImportDialog opened={importing} onClose={importer.close} />
      <ExportDialog opened={exporting} onClose={exporter.close} />
    </>
  );
}

/** Waivers of one vulnerability differ in their scope. */
function useName(): (waiver: Waiver) => string {
  const scope = useScopeText();
  const nameOf = useWaivedName();
  return useCallback(
    (waiver) => `${nameOf(waiver.vulnerability)}, ${scope(waiver)}`,
    [scope, nameOf],
  );
}

function NoWaivers({ view, onAll }: { view: string; onAll(): void }) {
  const t = useMessages('waivers');
  const { clear } = useMessages('filters');
  const mayRequest = useMayRequest();
  if (view === 'review')
    return (
      <EmptyState icon={IconShieldCheck} title={t.queueEmptyTitle} text={t.queueEmptyText}>
        <Button variant="default" onClick={onAll}>
          {t.queueEmptyAction}
        </Button>
      </EmptyState>
    );
  if (!mayRequest) return <NoRights />;
  if (view === 'all')
    return <EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText} />;
  return <NoMatch title={t.noMatchTitle} text={t.noMatchText} clear={clear} onClear={onAll} />;
}
