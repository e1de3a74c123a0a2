/** The group `email`: what the recipients asked to be told of, several events of a few moments in one message. */
import { type EmailSettings, emailNotifies, isLoginEvent } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { type AuditEvent, consume, dropGroup } from '@portcullis/events';
import { notificationMail, sendMail } from '@portcullis/notify';
import { type Channel, channel, type Progress, type Reading } from './channel.ts';
import type { CollectorPorts } from './collector.ts';

const GROUP = 'email';
/** Events in one message at most. */
const BATCH = 500;

export function onEmail(ports: CollectorPorts & { gatherMs: number }): Channel {
  const { network, redis, consumer, gatherMs, log } = ports;

  function open(settings: EmailSettings, progress: Progress, signal: AbortSignal): Reading[] {
    const tell = async (events: AuditEvent[]) => {
      const told = events.filter((event) => isTold(event, settings));
      if (told.length > 0) await deliver(told, { settings, progress, signal, log });
    };
    const since = network.since('email');
    return [consume(redis, GROUP, tell, { consumer, exclusive: true, batch: BATCH, gatherMs, since, log })];
  }

  return channel({
    network,
    settings() {
      const { email } = network.current();
      return emailNotifies(email) ? email : null;
    },
    open,
    drop: () => dropGroup(redis, GROUP),
  });
}

function isTold({ event }: AuditEvent, { notify_login, notify_audit }: EmailSettings): boolean {
  return isLoginEvent(event) ? notify_login : notify_audit;
}

interface Delivering {
  settings: EmailSettings;
  progress: Progress;
  signal: AbortSignal;
  log: CollectorPorts['log'];
}

async function deliver(events: AuditEvent[], { settings, progress, signal, log }: Delivering): Promise<void> {
  const sent = await sendMail(notificationMail(events), settings, { signal });
  const refused = sent.recipients.filter(({ accepted }) => !accepted).length;
  if (sent.delivered === false) {
    const { error = 'it failed' } = sent;
    progress.failed(error);
    throw unavailable(
      'EMAIL_NOT_DELIVERED',
      `the mail server did not take ${events.length} events: ${error}`,
    );
  }
  if (refused > 0) log.warn({ refused }, 'the mail server refused some of the recipients');
  progress.delivered(events.length);
}
