/**
 * The consumer group `email`: sends the selected events, several in one message. A message that the
 * server rejects for good is set aside and recorded, because it would block all later ones.
 */
import {
  type EmailSettings,
  emailNotifies,
  isLoginEvent,
  isMailAddress,
  isNotificationKind,
} from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import {
  type AuditEvent,
  type AuditLog,
  consume,
  dropGroup,
  systemEvent,
} from '@portcullis/events';
import {
  type Mail,
  notificationMail,
  ownersOf,
  STANDING_EVENTS,
  sendMail,
  standingMail,
} from '@portcullis/notify';
import {
  type Channel,
  type CollectorReader,
  channel,
  type DeliveryFailure,
  type DeliveryProgress,
} from './channel.ts';
import type { CollectorPorts } from './collector.ts';
import { type WaiverMailPorts, waiverMails } from './waiver-mails.ts';

const GROUP = 'email';
/** Mails to owners of images, gathered for longer: a new database changes many images. */
const OWNERS_GROUP = 'email-owners';
const OWNERS_BATCH = 5_000;
/** Maximum number of events in one message. */
const BATCH = 500;
/** Never sent by e-mail: the server would reject that message, too, without end. */
const REFUSED = 'email.refused';

export interface EmailPorts extends CollectorPorts, WaiverMailPorts {
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
    const tell = async (events: AuditEvent[]) => {
      for (const event of events) await deliverWaivers(event, ports, delivering);
      const matching = events.filter((event) => isSelected(event, settings));
      if (matching.length > 0) await deliver(matching, notificationMail(matching), delivering);
    };
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
      consume(redis, OWNERS_GROUP, (events) => deliverToOwners(events, ports, delivering), {
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

interface Delivering {
  settings: EmailSettings;
  progress: DeliveryProgress;
  signal: AbortSignal;
  audit: Pick<AuditLog, 'tell'>;
  resolve: CollectorPorts['resolve'];
  log: CollectorPorts['log'];
}

/** Mails about waivers go to accounts, whatever the settings select. */
async function deliverWaivers(
  event: AuditEvent,
  ports: WaiverMailPorts,
  delivering: Delivering,
): Promise<void> {
  for (const { address, mail } of await waiverMails(event, ports)) {
    const settings = { ...delivering.settings, to_addresses: [address] };
    await deliver([event], mail, { ...delivering, settings });
  }
}

/** One mail for each owner: whoever may push to the folder, at the account's address of now. */
async function deliverToOwners(
  events: readonly AuditEvent[],
  { users, notifications }: Pick<EmailPorts, 'users' | 'notifications'>,
  delivering: Delivering,
): Promise<void> {
  const byOwner = await wantedByOwner(events, notifications);
  for (const [id, theirs] of byOwner) {
    const account = await users.find(id);
    if (!account?.email || account.disabled || !isMailAddress(account.email)) continue;
    const settings = { ...delivering.settings, to_addresses: [account.email] };
    await deliver(theirs, standingMail(theirs, id), { ...delivering, settings });
  }
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

async function deliver(events: AuditEvent[], mail: Mail, delivering: Delivering): Promise<void> {
  const { settings, progress, signal, resolve, log } = delivering;
  const sent = await sendMail(mail, settings, { resolve, signal });
  const refused = sent.recipients.filter(({ accepted }) => !accepted).length;
  if (sent.delivered === false) {
    const { code = 'DELIVERY_FAILED', error = 'it failed', final } = sent;
    if (final) return setAside(events, { mail, code, error }, delivering);
    progress.failed({ code, error });
    throw unavailable(
      'EMAIL_NOT_DELIVERED',
      `the mail server did not take ${events.length} events: ${error}`,
    );
  }
  if (refused > 0) log.warn({ refused }, 'the mail server refused some of the recipients');
  progress.delivered(events.length);
}

/** Recorded before the events are acknowledged. */
async function setAside(
  events: AuditEvent[],
  { mail, code, error }: DeliveryFailure & { mail: Mail },
  { audit, progress, log }: Delivering,
): Promise<void> {
  const facts = { events: events.length, since: events[0]?.at, until: events.at(-1)?.at, error };
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
