/** The consumer group `syslog`: forwards audit events, and application logs where enabled. */
import { hostname } from 'node:os';
import { forwardsAudit, forwardsLogs, type SyslogSettings } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { type AuditEvent, consume, consumeLogs, dropGroup, LOG_STREAM } from '@portcullis/events';
import {
  auditEntry,
  type LogLine,
  logEntry,
  type SyslogEntry,
  sendSyslog,
} from '@portcullis/notify';
import { type Channel, type CollectorReader, channel, type DeliveryProgress } from './channel.ts';
import type { CollectorPorts } from './collector.ts';

const GROUP = 'syslog';

export function onSyslog(ports: CollectorPorts): Channel {
  const { network, redis, consumer, resolve, log } = ports;

  function open(
    settings: SyslogSettings,
    progress: DeliveryProgress,
    signal: AbortSignal,
  ): CollectorReader[] {
    const options = { consumer, exclusive: true, since: network.since('syslog'), log };
    const send = (entries: SyslogEntry[]) =>
      deliver(entries, { settings, progress, signal, resolve });
    const processId = String(process.pid);
    const events = (taken: AuditEvent[]) => {
      const later = taken.filter((event) => !network.isKnown('syslog', event));
      return send(later.map((event) => auditEntry(event, processId)));
    };
    const lines = (taken: LogLine[]) => send(taken.map(logEntry));
    return [
      ...(forwardsAudit(settings) ? [consume(redis, GROUP, events, options)] : []),
      ...(forwardsLogs(settings) ? [consumeLogs(redis, GROUP, lines, options)] : []),
    ];
  }

  return channel({
    network,
    settings() {
      const { syslog } = network.current();
      return forwardsAudit(syslog) || forwardsLogs(syslog) ? syslog : null;
    },
    open,
    async drop() {
      await dropGroup(redis, GROUP);
      await redis.del(LOG_STREAM);
    },
  });
}

interface Delivering extends Pick<CollectorPorts, 'resolve'> {
  settings: SyslogSettings;
  progress: DeliveryProgress;
  signal: AbortSignal;
}

async function deliver(
  entries: SyslogEntry[],
  { settings, progress, signal, resolve }: Delivering,
): Promise<void> {
  if (entries.length === 0) return;
  const {
    delivered,
    code = 'DELIVERY_FAILED',
    error = 'it failed',
  } = await sendSyslog(entries, settings, {
    hostname: hostname(),
    resolve,
    signal,
  });
  if (delivered !== false) return progress.delivered(entries.length);
  progress.failed({ code, error });
  throw unavailable(
    'SYSLOG_NOT_DELIVERED',
    `the syslog collector did not get ${entries.length}: ${error}`,
  );
}
