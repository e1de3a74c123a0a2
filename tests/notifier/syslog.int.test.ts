/**
 * The notifier as a process: audit events and log lines to a real rsyslog, through outages of both.
 */
import { auditGroups, DEFAULT_NETWORK } from '@portcullis/domain';
import { listGroups, trim } from '@portcullis/events';
import { eventually, startSyslog } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  collector,
  eventOf,
  harness,
  named,
  numbered,
  settingsFor,
  startForwarding,
  unread,
  unreadByGroup,
} from './syslog.fixture.ts';

startForwarding();

it('a collector that is enabled while events arrive gets them in order; changed settings apply without a restart', async () => {
  await harness.start();
  await using other = await startSyslog({ protocol: 'tcp' });
  await harness.set('syslog', settingsFor(collector.port));
  const first = numbered('on.', 30);
  await harness.publish(...first);
  await expect.poll(named('on.')).toEqual(first);

  await harness.set('syslog', settingsFor(other.port));
  // Events until the change applies may still go to the first collector.
  await eventually(async () => {
    await harness.publish('change');
    return (await other.received()).length > 0;
  });
  await harness.publish('on.other');
  await expect.poll(async () => (await other.received()).map(eventOf)).toContain('on.other');
  expect(await named('on.')()).toEqual(first);

  await harness.set('syslog', { syslog_enabled: false });
  await expect
    .poll(async () => (await listGroups(harness.redis)).map(({ name }) => name).sort())
    .toEqual(['archive', 'notifications', 'webhooks']);
});

it('an unreachable collector loses nothing and blocks no other work; then it gets everything, in order', async () => {
  await harness.start({
    SYSLOG_ENABLED: 'true',
    SYSLOG_HOST: '127.0.0.1',
    SYSLOG_PORT: String(collector.port),
    SYSLOG_PROTOCOL: 'tcp',
  });
  await harness.publish('away.0');
  await expect.poll(named('away.')).toEqual(['away.0']);
  await expect.poll(unread).toBe(0);
  await collector.halt();
  const missed = numbered('away.', 200, 1);
  await harness.publish(...missed);
  const archived = async () => (await harness.store.audit.list({ event: 'away.200' })).items.length;
  await expect.poll(archived).toBe(1);
  await expect
    .poll(unreadByGroup)
    .toEqual({ archive: 0, notifications: 0, webhooks: 0, syslog: missed.length });

  // Trimming keeps what the collector has not received, and nothing else.
  const syslog = { ...DEFAULT_NETWORK.syslog, ...settingsFor(1) };
  const groups = auditGroups({ ...DEFAULT_NETWORK, syslog });
  expect(await trim(harness.redis, { maxEvents: 10, ceiling: 1_000, groups })).toMatchObject({
    length: 200,
    lost: 0,
  });

  await collector.start();
  await expect.poll(named('away.')).toEqual(['away.0', ...missed]);
  await expect
    .poll(unreadByGroup)
    .toEqual({ archive: 0, notifications: 0, webhooks: 0, syslog: 0 });
  expect(await trim(harness.redis, { maxEvents: 10, ceiling: 1_000, groups })).toMatchObject({
    length: 10,
    lost: 0,
  });
});
