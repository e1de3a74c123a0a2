/** Makes deliveries of audit events, one for each webhook that wants the event. */
import {
  cloudEvent,
  transferOutcomes,
  type WebhookMessage,
  webhookMessages,
} from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import type { NewDelivery, Store, StoredWebhook } from '@portcullis/store';

export interface QueuePorts {
  webhooks: Pick<Store['webhooks'], 'list'>;
  deliveries: Pick<Store['webhookDeliveries'], 'insert' | 'transferEnds'>;
  transfers: Pick<Store['transfers'], 'find'>;
  /** The address of the installation. */
  source: string;
  log: Pick<Logger, 'warn'>;
}

/** Repeated for the same events, it adds nothing. Returns whether there may be deliveries. */
export async function queueDeliveries(
  events: readonly AuditEvent[],
  ports: QueuePorts,
): Promise<boolean> {
  const hooks = (await ports.webhooks.list()).filter(({ enabled }) => enabled);
  if (hooks.length === 0) return false;
  const finished = await finishedTransfers(events, hooks, ports);
  const rows = hooks.flatMap((hook) =>
    events
      // A webhook gets nothing that happened before it was saved.
      .filter(({ at }) => Date.parse(at) >= hook.createdAt.getTime())
      .flatMap((event) => [
        ...webhookMessages(event, hook.folder),
        ...endOf(event, finished, hook.folder),
      ])
      .filter((message) => wants(hook, message))
      .map((message) => deliveryOf(hook, message, ports.source)),
  );
  if (rows.length === 0) return false;
  const left = await ports.deliveries.insert(rows);
  if (left > 0)
    ports.log.warn({ left }, 'webhooks have too many waiting deliveries: events left out');
  return true;
}

function wants({ kinds }: StoredWebhook, { kind }: WebhookMessage): boolean {
  return kinds.length === 0 || kinds.some((wanted) => wanted === kind);
}

function deliveryOf(
  { id: webhookId }: StoredWebhook,
  message: WebhookMessage,
  source: string,
): NewDelivery {
  const body = JSON.stringify(cloudEvent(message, source));
  return { webhookId, eventId: message.id, kind: message.kind, body };
}

interface Finished {
  id: string;
  outcomes: Record<string, unknown>;
}

/** By the id of the transfer. The end of a transfer is no event: the last job of it is one. */
async function finishedTransfers(
  events: readonly AuditEvent[],
  hooks: readonly StoredWebhook[],
  { deliveries, transfers }: QueuePorts,
): Promise<Map<string, Finished>> {
  const asked = hooks.some(({ kinds }) => kinds.length === 0 || kinds.includes(FINISHED));
  const ids = new Set(asked ? events.map(transferOf).filter((id) => id !== null) : []);
  const ends = ids.size === 0 ? new Map<string, number>() : await deliveries.transferEnds([...ids]);
  const finished = new Map<string, Finished>();
  for (const [id, version] of ends) {
    const transfer = await transfers.find(id);
    if (!transfer) continue;
    const { open: _, ...outcomes } = transferOutcomes(transfer);
    finished.set(id, { id: `${id}-${version}`, outcomes });
  }
  return finished;
}

const FINISHED = 'transfer.finished';

function transferOf({ event, detail }: AuditEvent): string | null {
  const id = detail.transfer_id;
  return event.startsWith('staging.') && typeof id === 'string' ? id : null;
}

function endOf(
  event: AuditEvent,
  finished: ReadonlyMap<string, Finished>,
  folder: string | null,
): WebhookMessage[] {
  const transferId = transferOf(event);
  const end = transferId === null ? undefined : finished.get(transferId);
  if (!end) return [];
  // The counts include images for other folders.
  const concerned = folder === null || webhookMessages(event, folder).length > 0;
  const outcomes = folder === null ? end.outcomes : {};
  const data = { transfer_id: transferId, account: event.actor.name, ...outcomes };
  const message = {
    id: end.id,
    kind: FINISHED,
    time: event.at,
    subject: transferId,
    data,
  } as const;
  return concerned ? [message] : [];
}
