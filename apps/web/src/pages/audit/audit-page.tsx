/** Shows the audit log, also while events arrive. */
import { Button, Group, Modal, Stack, Switch, Tooltip } from '@mantine/core';
import type { AuditEvent } from '@portcullis/contract';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { url } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { type Fact, FactList } from '../../kit/layout/panel.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { Preformatted } from '../../kit/text/preformatted.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import classes from './audit.module.css';
import { eventTone, OUTCOME_TONES, useEventColumns } from './audit-columns.tsx';
import { AUDIT_FILTER, OUTCOMES } from './audit-filter.ts';
import { EventFilter } from './event-filter.tsx';
import { useEventWords } from './event-words.ts';

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

interface EventDialogProps {
  event: AuditEvent;
  onClose(): void;
  onFilter(change: { actor?: string; event?: string }): void;
}

/**
 * Shows one event of the audit log whole. All details of an event, with filters for similar events.
 */
function EventDialog({ event, onClose, onFilter }: EventDialogProps) {
  const t = useMessages('audit');
  const words = useEventWords();
  return (
    <Modal opened onClose={onClose} title={words(event.event)} size="lg">
      <Stack>
        <FactList facts={useFacts(event)} />
        {Object.keys(event.detail).length > 0 && (
          <div>
            <Group gap={4}>
              <strong>{t.rest}</strong>
              <CopyButton text={JSON.stringify(event, null, 2)} />
            </Group>
            <Preformatted>{JSON.stringify(event.detail, null, 2)}</Preformatted>
          </div>
        )}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => onFilter({ actor: event.actor.name })}>
            {t.onlyActor(event.actor.name)}
          </Button>
          <Button variant="default" size="xs" onClick={() => onFilter({ event: event.event })}>
            {t.onlyEvent(words(event.event))}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useFacts(event: AuditEvent): Fact[] {
  const [t, format] = useWords('audit');
  const { actor, resource } = event;
  return [
    [t.event, <code key="event">{event.event}</code>],
    [t.time, `${format.date(event.at)}, ${format.time(event.at)}`],
    [
      t.outcome,
      <Badge key="outcome" tone={OUTCOME_TONES[event.outcome]}>
        {t.outcomes[event.outcome]}
      </Badge>,
    ],
    [t.who, `${actor.name} (${t.auths[actor.auth]})`],
    [t.fields.token, actor.token_id],
    [
      t.fields.resource,
      resource && [resource.kind, resource.name ?? resource.id].filter(Boolean).join(' '),
    ],
    [t.fields.folder, resource?.folder],
    [t.whence, event.client_ip],
    [t.fields.request, event.method && `${event.method} ${event.path ?? ''}`],
    [t.fields.status, event.status],
    [
      t.fields.duration,
      event.duration_ms === null ? null : `${format.number(Math.round(event.duration_ms))} ms`,
    ],
    [t.fields.agent, event.user_agent],
    [t.fields.requestId, event.request_id],
    [t.fields.id, event.id],
  ];
}
