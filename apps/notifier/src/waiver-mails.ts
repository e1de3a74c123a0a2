/** The mails about waivers that an audit event leads to, with the addresses of now. */
import {
  isMailAddress,
  type NotificationKind,
  WAIVER_ENDING,
  WAIVERS_WAITING,
} from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import { decidedMail, type Mail, waitingMail, waiverMail } from '@portcullis/notify';
import type { Store } from '@portcullis/store';

export interface WaiverMailPorts {
  users: Pick<Store['users'], 'find'>;
  waivers: Pick<Store['waivers'], 'find' | 'reviewersOf'>;
  notifications: Pick<Store['notifications'], 'withoutMail'>;
}

interface Addressed {
  address: string;
  mail: Mail;
}

export async function waiverMails(event: AuditEvent, ports: WaiverMailPorts): Promise<Addressed[]> {
  if (event.outcome !== 'success') return [];
  if (event.event === WAIVER_ENDING) return ending(event, ports);
  if (event.event === WAIVERS_WAITING) return waiting(event, ports);
  return decide(event, ports);
}

async function ending(event: AuditEvent, ports: WaiverMailPorts): Promise<Addressed[]> {
  const address = await addressOf(event.resource?.id, 'waiver.ending', ports);
  return address === null ? [] : [{ address, mail: waiverMail(event) }];
}

/** Each reviewer gets what it may see and has not requested itself. */
async function waiting(
  event: AuditEvent,
  { waivers, notifications }: WaiverMailPorts,
): Promise<Addressed[]> {
  const listed: unknown[] = Array.isArray(event.detail.waivers) ? event.detail.waivers : [];
  const ids = listed.map((waiver) => textOf(waiver, 'id')).filter((id) => id !== '');
  const reviewers = ids.length === 0 ? [] : await waivers.reviewersOf(ids);
  const without = await notifications.withoutMail(
    'waiver.waiting',
    reviewers.map(({ id }) => id),
  );
  return reviewers.flatMap(({ id, email: address, waivers: own }) => {
    if (address === null || !isMailAddress(address) || without.has(id)) return [];
    const shown = listed.filter((waiver) => own.includes(textOf(waiver, 'id')));
    return [{ address, mail: waitingMail({ id: event.id, detail: { waivers: shown } }) }];
  });
}

const DECISIONS = {
  'waiver.approved': 'approved',
  'waiver.rejected': 'rejected',
  'waiver.revoked': 'revoked',
} as const;

/** The requester gets the decisions of other accounts; an approval once it is in force. */
async function decide(
  { id: eventId, event, resource, actor }: AuditEvent,
  ports: WaiverMailPorts,
): Promise<Addressed[]> {
  const decision = Object.entries(DECISIONS).find(([name]) => name === event)?.[1];
  const id = resource?.id;
  if (decision === undefined || !id) return [];
  const waiver = await ports.waivers.find(id);
  if (!waiver || waiver.state !== decision || waiver.requestedById === actor.id) return [];
  const address = await addressOf(waiver.requestedById, 'waiver.decided', ports);
  const { vulnerability, closed } = waiver;
  const reason = closed?.reason ?? null;
  const mail = decidedMail(eventId, { vulnerability, decision, by: actor.name, reason });
  return address === null ? [] : [{ address, mail }];
}

/** Null also where the account does not want this kind by mail. */
async function addressOf(
  id: string | null | undefined,
  kind: NotificationKind,
  { users, notifications }: WaiverMailPorts,
): Promise<string | null> {
  const account = id ? await users.find(id) : null;
  if (!account?.email || account.disabled || !isMailAddress(account.email)) return null;
  const without = await notifications.withoutMail(kind, [account.id]);
  return without.has(account.id) ? null : account.email;
}

function textOf(waiver: unknown, field: string): string {
  if (typeof waiver !== 'object' || waiver === null) return '';
  const value: unknown = Reflect.get(waiver, field);
  return typeof value === 'string' ? value : '';
}
