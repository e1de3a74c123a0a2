/**
 * Delivers a mail so that each recipient and each event counts by itself: who accepted it gets it
 * once, whatever the server says of the others, and a message that is refused for what it holds is
 * divided. What is refused for good is set aside and recorded, because it would block all later
 * ones.
 */
import type { EmailSettings } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import { type Mail, type MailDeliveryResult, sendMail } from '@portcullis/notify';
import type { DeliveryFailure, DeliveryProgress } from './channel.ts';
import type { CollectorPorts } from './collector.ts';

/** Never sent by e-mail: the server would reject that message, too, without end. */
export const REFUSED = 'email.refused';

/** How often a recipient may be refused for now before that counts for good: some ten minutes. */
const MOST_DEFERRALS = 25;
/** How many messages one batch may become. */
const MOST_PARTS = 64;

/** Of one consumer group, between the attempts to deliver a batch. */
export interface DeliveryMemory {
  /** Messages by recipient that are done. */
  done: Set<string>;
  deferrals: Map<string, number>;
}

export function deliveryMemory(): DeliveryMemory {
  return { done: new Set(), deferrals: new Map() };
}

export interface Delivering extends Pick<CollectorPorts, 'resolve' | 'log'> {
  settings: EmailSettings;
  progress: DeliveryProgress;
  signal: AbortSignal;
  audit: Pick<AuditLog, 'tell'>;
  memory: DeliveryMemory;
}

type MailOf = (events: readonly AuditEvent[]) => Mail;

interface Part {
  events: readonly AuditEvent[];
  to: readonly string[];
}

/** @throws unavailable `EMAIL_NOT_DELIVERED` where a part has to be sent again */
export async function deliver(
  events: readonly AuditEvent[],
  mailOf: MailOf,
  delivering: Delivering,
): Promise<void> {
  const parts: Part[] = [{ events, to: delivering.settings.to_addresses }];
  let made = 1;
  let failure: Error | null = null;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const halves = made < MOST_PARTS ? halvesOf(part) : [];
    const outcome = await deliverPart(part, mailOf(part.events), {
      ...delivering,
      divisible: halves.length > 0,
    });
    if (outcome === 'divide') {
      made += halves.length;
      parts.unshift(...halves);
    } else failure ??= outcome;
  }
  if (failure !== null) throw failure;
}

/** First by events, which the size depends on; of one event by recipients. */
function halvesOf({ events, to }: Part): Part[] {
  if (events.length > 1) {
    const middle = Math.ceil(events.length / 2);
    return [events.slice(0, middle), events.slice(middle)].map((half) => ({ events: half, to }));
  }
  return to.length > 1 ? to.map((one) => ({ events, to: [one] })) : [];
}

/** @returns the fault where it has to be sent again */
async function deliverPart(
  { events, to }: Part,
  mail: Mail,
  delivering: Delivering & { divisible: boolean },
): Promise<'divide' | Error | null> {
  const { memory, settings, resolve, signal, progress, divisible } = delivering;
  const keyOf = (address: string) => `${mail.messageId} ${address}`;
  const left = to.filter((address) => !memory.done.has(keyOf(address)));
  if (left.length === 0) return null;
  const sent = await sendMail(mail, { ...settings, to_addresses: left }, { resolve, signal });
  if (sent.aboutMessage && divisible) return 'divide';
  const accepted = sent.recipients.filter((one) => one.accepted).map(({ address }) => address);
  const lost = refusedForGood(sent, keyOf, memory);
  for (const address of [...accepted, ...lost]) memory.done.add(keyOf(address));
  if (lost.length > 0) await setAside(events, { mail, lost, ...whyOf(sent) }, delivering);
  if (accepted.length > 0) progress.delivered(events.length);
  if (accepted.length + lost.length === left.length) return null;
  const { code, error } = whyOf(sent);
  progress.failed({ code, error });
  const text = `the mail server did not take ${events.length} events: ${error}`;
  return unavailable('EMAIL_NOT_DELIVERED', text);
}

function whyOf({ code = 'DELIVERY_FAILED', error }: MailDeliveryResult): DeliveryFailure {
  return { code, error: error ?? 'the server refused some of the recipients' };
}

/** Counts the recipients that are refused for now. */
function refusedForGood(
  { recipients, final }: MailDeliveryResult,
  keyOf: (address: string) => string,
  { deferrals }: DeliveryMemory,
): string[] {
  const refused = recipients.filter(({ accepted }) => !accepted);
  const lost = refused.filter(({ address, final: ownFinal }) => {
    if (ownFinal === undefined) return final === true;
    if (ownFinal) return true;
    const count = (deferrals.get(keyOf(address)) ?? 0) + 1;
    deferrals.set(keyOf(address), count);
    return count > MOST_DEFERRALS;
  });
  return lost.map(({ address }) => address);
}

/** Recorded before the events are acknowledged. */
async function setAside(
  events: readonly AuditEvent[],
  { mail, lost, code, error }: DeliveryFailure & { mail: Mail; lost: string[] },
  { audit, progress, log }: Delivering,
): Promise<void> {
  const period = { since: events[0]?.at, until: events.at(-1)?.at };
  const facts = { events: events.length, ...period, recipients: lost, error };
  await audit.tell(
    systemEvent({
      event: REFUSED,
      outcome: 'failure',
      actor: { id: null, name: 'notifier' },
      action: 'notify',
      resource: { kind: 'mail', id: mail.messageId, name: mail.subject },
      detail: facts,
    }),
  );
  log.error(facts, 'the mail server refused a notification for good; it is set aside');
  progress.refused(events.length, { code, error });
}
