/** Shows all of one audit event, with filters for similar events. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { AuditEvent } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { type Fact, FactList } from '../../kit/layout/panel.tsx';
import { Preformatted } from '../../kit/text/preformatted.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';
import { OUTCOME_TONES } from './audit-columns.tsx';
import { bypassFacts } from './bypass-facts.ts';
import { EventDecisions } from './event-decision.tsx';
import { useEventWords } from './event-words.ts';

interface EventDialogProps {
  event: AuditEvent;
  onClose(): void;
  onFilter(change: { actor?: string; event?: string }): void;
}

export function EventDialog({ event, onClose, onFilter }: EventDialogProps) {
  const t = useMessages('audit');
  const words = useEventWords();
  return (
    <Modal opened onClose={onClose} title={words(event.event)} size="lg">
      <Stack>
        <FactList facts={useFacts(event)} />
        <EventDecisions event={event} />
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
    ...useBypassFacts(event),
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

function useBypassFacts(event: AuditEvent): Fact[] {
  const { fields } = useMessages('audit');
  const facts = bypassFacts(event);
  if (facts === null) return [];
  return [
    [fields.image, facts.image],
    [fields.destination, facts.destination],
    [fields.reason, facts.reason ?? (event.event === 'staging.pushed' && fields.noReason)],
  ];
}
