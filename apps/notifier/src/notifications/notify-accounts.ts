/** Makes the notifications of audit events, for the accounts that the rules name. */
import {
  type NotificationDraft,
  type NotificationSource,
  notificationsOf,
  REVIEW_STATES,
  transferOutcomes,
} from '@portcullis/domain';
import type { NewNotification, Store } from '@portcullis/store';
import { type RecipientPorts, reviewRecipients } from '../review-recipients.ts';

export interface NotifyPorts {
  notifications: Pick<Store['notifications'], 'insert' | 'settle'>;
  users: RecipientPorts['users'];
  reviews: RecipientPorts['reviews'];
  waivers: Pick<Store['waivers'], 'find' | 'reviewersOf'>;
  transfers: Pick<Store['transfers'], 'find'>;
  deliveries: Pick<Store['webhookDeliveries'], 'transferEnds'>;
  /** Notifies the open pages of the account. */
  announce(accountId: string): Promise<void>;
}

/** Repeated for the same events, it adds nothing. */
export async function notifyAccounts(
  events: readonly NotificationSource[],
  ports: NotifyPorts,
): Promise<void> {
  const drafts = events.flatMap((event) => notificationsOf(event));
  const rows: NewNotification[] = await finishedTransfers(events, ports);
  for (const draft of drafts) rows.push(...(await addressed(draft, ports)));
  const told = rows.length === 0 ? [] : await ports.notifications.insert(rows);
  const relieved = await settleReviews(events, ports);
  for (const accountId of new Set([...told, ...relieved])) await ports.announce(accountId);
}

const CLOSED: ReadonlySet<unknown> = new Set(REVIEW_STATES.filter((state) => state !== 'open'));

/** A request that was decided, withdrawn or has expired needs no decision. */
async function settleReviews(
  events: readonly NotificationSource[],
  { notifications }: NotifyPorts,
): Promise<string[]> {
  const numbers = events.flatMap(({ event, detail: { number, state } }) =>
    event.startsWith('review.') && typeof number === 'number' && CLOSED.has(state) ? [number] : [],
  );
  return numbers.length === 0 ? [] : notifications.settle(numbers, new Date());
}

async function addressed(draft: NotificationDraft, ports: NotifyPorts): Promise<NewNotification[]> {
  const { to, ...content } = draft;
  const recipients = await reviewRecipients(draft, ports);
  if (recipients) return recipients.map(({ id: userId }) => ({ ...content, userId }));
  if ('accounts' in to) return to.accounts.map((userId) => ({ ...content, userId }));
  if ('reviewersOf' in to) {
    const reviewers = await ports.waivers.reviewersOf(to.reviewersOf);
    return reviewers.map(({ id: userId, waivers: own }) => ({
      ...content,
      userId,
      targetId: own.length === 1 ? (own[0] ?? null) : null,
      facts: { ...content.facts, count: own.length },
    }));
  }
  if (!('requesterOf' in to)) return [];
  const waiver = await ports.waivers.find(to.requesterOf);
  if (!waiver || waiver.state !== to.decision || waiver.requestedById === to.decidedBy) return [];
  const reason = waiver.closed?.reason;
  const facts = { ...content.facts, ...(reason && { reason }) };
  return [{ ...content, facts, userId: waiver.requestedById }];
}

/** The end of a transfer is no event: the last job of it is one. */
async function finishedTransfers(
  events: readonly NotificationSource[],
  { deliveries, transfers }: NotifyPorts,
): Promise<NewNotification[]> {
  const lasts = new Map(events.map((event) => [transferOf(event), event.at]));
  const ids = [...lasts.keys()].filter((id) => id !== null);
  const rows: NewNotification[] = [];
  for (const [id, version] of await deliveries.transferEnds(ids)) {
    const transfer = await transfers.find(id);
    const at = lasts.get(id);
    if (!transfer || at === undefined) continue;
    const { pushed, blocked, failed } = transferOutcomes(transfer);
    rows.push({
      ...{ kind: 'transfer.finished', key: `${id}-${version}`, at, userId: transfer.ownerId },
      ...{ subject: '', target: 'transfer', targetId: id, repository: null, folder: null },
      facts: { pushed, blocked, failed },
    });
  }
  return rows;
}

function transferOf({ event, detail }: NotificationSource): string | null {
  const id = detail.transfer_id;
  return event.startsWith('staging.') && typeof id === 'string' ? id : null;
}
