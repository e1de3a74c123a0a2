/** The consumer group `email`: sends the selected events, several in one message. */
import {
  type EmailSettings,
  emailNotifies,
  isLoginEvent,
  isMailAddress,
  isNotificationKind,
} from '@portcullis/domain';
import { type AuditEvent, type AuditLog, consume, dropGroup } from '@portcullis/events';
import { notificationMail, ownersOf, STANDING_EVENTS, standingMail } from '@portcullis/notify';
import { type Channel, type CollectorReader, channel, type DeliveryProgress } from './channel.ts';
import type { CollectorPorts } from './collector.ts';
import { type Delivering, deliver, deliveryMemory, REFUSED } from './mail-delivery.ts';
import { type ReviewMailPorts, reviewMails } from './review-mails.ts';
import { type WaiverMailPorts, waiverMails } from './waiver-mails.ts';

const GROUP = 'email';
/** Mails to owners of images, gathered for longer: a new database changes many images. */
const OWNERS_GROUP = 'email-owners';
const OWNERS_BATCH = 5_000;
/** Maximum number of events in one message. */
const BATCH = 500;

export interface EmailPorts extends CollectorPorts, ReviewMailPorts, WaiverMailPorts {
  gatherMs: number;
  /** The same for mails to owners of images. */
  ownersGatherMs: number;
  /** Records rejected messages. */
  audit: Pick<AuditLog, 'tell'>;
}

export function onEmail(ports: EmailPorts): Channel {
  const { network, redis, audit, consumer, gatherMs, ownersGatherMs, resolve, log } = ports;

  function open(
    settings: EmailSettings,
    progress: DeliveryProgress,
    signal: AbortSignal,
  ): CollectorReader[] {
    const delivering = { settings, progress, signal, audit, resolve, log };
    const [memory, ownersMemory] = [deliveryMemory(), deliveryMemory()];
    const tell = async (events: AuditEvent[]) => {
      const mine = { ...delivering, memory };
      const work = events.map((event) => () => deliverWaivers(event, ports, mine));
      const matching = events.filter(
        (event) => isSelected(event, settings) && !network.isKnown('email', event),
      );
      if (matching.length > 0) work.push(() => deliver(matching, notificationMail, mine));
      await eachByItself(work, mine);
    };
    const tellOwners = (events: AuditEvent[]) =>
      deliverToOwners(events, ports, { ...delivering, memory: ownersMemory });
    const since = network.since('email');
    return [
      consume(redis, GROUP, tell, {
        consumer,
        exclusive: true,
        batch: BATCH,
        gatherMs,
        since,
        log,
      }),
      consume(redis, OWNERS_GROUP, tellOwners, {
        consumer,
        exclusive: true,
        batch: OWNERS_BATCH,
        gatherMs: ownersGatherMs,
        since,
        log,
      }),
    ];
  }

  return channel({
    network,
    settings() {
      const { email } = network.current();
      return emailNotifies(email) ? email : null;
    },
    open,
    async drop() {
      for (const group of [GROUP, OWNERS_GROUP]) await dropGroup(redis, group);
    },
  });
}

function isSelected({ event }: AuditEvent, { notify_login, notify_audit }: EmailSettings): boolean {
  if (event === REFUSED) return false;
  return isLoginEvent(event) ? notify_login : notify_audit;
}

/** Mails about reviews and waivers go to accounts, whatever the settings select. */
async function deliverWaivers(
  event: AuditEvent,
  ports: ReviewMailPorts & WaiverMailPorts,
  delivering: Delivering,
): Promise<void> {
  const mails = [...(await reviewMails(event, ports)), ...(await waiverMails(event, ports))];
  for (const { address, mail } of mails) {
    const settings = { ...delivering.settings, to_addresses: [address] };
    await deliver([event], () => mail, { ...delivering, settings });
  }
}

/**
 * Does all of a batch before it reports the first fault: what is done is remembered, so that the
 * next attempt sends the rest alone.
 */
async function eachByItself(
  work: readonly (() => Promise<void>)[],
  { memory, signal }: Pick<Delivering, 'memory' | 'signal'>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const one of work) {
    if (signal.aborted) break;
    await one().catch((error: unknown) => faults.push(error));
  }
  signal.throwIfAborted();
  if (faults.length > 0) throw faults[0];
  memory.done.clear();
  memory.deferrals.clear();
}

/** One mail for each owner: each account that may push to the folder, at its address of now. */
async function deliverToOwners(
  events: readonly AuditEvent[],
  { users, notifications }: Pick<EmailPorts, 'users' | 'notifications'>,
  delivering: Delivering,
): Promise<void> {
  const byOwner = await wantedByOwner(events, notifications);
  const work = [...byOwner].map(([id, theirs]) => async () => {
    const account = await users.find(id);
    if (!account?.email || account.disabled || !isMailAddress(account.email)) return;
    const settings = { ...delivering.settings, to_addresses: [account.email] };
    await deliver(theirs, (part) => standingMail(part, id), { ...delivering, settings });
  });
  await eachByItself(work, delivering);
}

/** Without the kinds that an owner does not want by mail. */
async function wantedByOwner(
  events: readonly AuditEvent[],
  notifications: EmailPorts['notifications'],
): Promise<Map<string, AuditEvent[]>> {
  const byOwner = new Map<string, AuditEvent[]>();
  for (const [name, alike] of Map.groupBy(events, ({ event }) => event)) {
    if (!STANDING_EVENTS.has(name) || !isNotificationKind(name)) continue;
    const without = await notifications.withoutMail(name, alike.flatMap(ownersOf));
    for (const event of alike) {
      for (const id of ownersOf(event).filter((owner) => !without.has(owner))) {
        const theirs = byOwner.get(id) ?? [];
        theirs.push(event);
        byOwner.set(id, theirs);
      }
    }
  }
  return byOwner;
}
