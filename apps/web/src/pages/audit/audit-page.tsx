/** Shows the audit log, also while events arrive. */
import { Button, Switch, Tooltip } from '@mantine/core';
import type { AuditEvent } from '@portcullis/contract';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import classes from './audit.module.css';
import { eventTone, useEventColumns } from './audit-columns.tsx';
import { AUDIT_FILTER, OUTCOMES } from './audit-filter.ts';
import { EventDialog } from './event-dialog.tsx';
import { EventFilter } from './event-filter.tsx';

const EVENTS = defineList({
  operation: 'audit.listAudit',
  filter: AUDIT_FILTER,
  keyOf: ({ id }) => id,
});
/** The latest events, by polling: audit events have no stream. */
const LIVE = { refresh: 2000, query: { limit: 100 } };

export function Component() {
  const t = useMessages('audit');
  const [live, setLive] = useState(false);
  const [open, setOpen] = useState<AuditEvent | null>(null);
  const list = useList(EVENTS, live ? LIVE : {});
  const { state, change } = list;
  useShortcut('l', t.live, () => setLive(!live));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Tooltip label={t.liveHint}>
          <Switch
            label={t.live}
            checked={live}
            onChange={(event) => setLive(event.currentTarget.checked)}
            mr="sm"
          />
        </Tooltip>
        <Tooltip label={t.exportHint}>
          <Button
            component="a"
            variant="default"
            href={url('audit.exportAudit', { query: AUDIT_FILTER.query(state, Date.now()) })}
            download
            leftSection={<IconDownload size={16} />}
          >
            {t.export}
          </Button>
        </Tooltip>
      </PageHead>
      <FilterBar list={list} search={t.search} saved="audit">
        <SearchField
          label={t.actor}
          leftSection={null}
          value={state.actor}
          onChange={(actor) => change({ actor })}
        />
        <EventFilter value={state.event} onChange={(event) => change({ event })} />
        <FilterSelect
          label={t.outcome}
          values={OUTCOMES}
          names={t.outcomes}
          value={state.outcome}
          any={t.anyOutcome}
          onChange={(outcome) => change({ outcome })}
        />
        <Switch
          label={t.onlyBypassed}
          checked={state.bypassed}
          onChange={(event) => change({ bypassed: event.currentTarget.checked })}
        />
        <TimeRangeField value={state.time} onChange={(time) => change({ time })} />
      </FilterBar>
      <ListView
        list={live ? { ...list, pages: { ...list.pages, hasNextPage: false } } : list}
        columns={useEventColumns(setOpen)}
        toneOf={eventTone}
        className={`${classes.log} ${live ? classes.live : ''}`}
        words={{ ...t, more: state.q.trim() === '' ? t.more : t.searchOn }}
        {...(!live && { count: t.shown })}
        empty={<EmptyState icon={IconHistory} title={t.emptyTitle} text={t.emptyText} />}
      />
      {open && (
        <EventDialog
          event={open}
          onClose={() => setOpen(null)}
          onFilter={(part) => {
            setOpen(null);
            change(part);
          }}
        />
      )}
    </>
  );
}
