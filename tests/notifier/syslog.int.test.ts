/**
 * The notifier as a process: audit events and log lines to a real rsyslog, through outages of both.
 */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { auditGroups, DEFAULT_NETWORK, type SyslogSettings } from '@portcullis/domain';
import { LOG_STREAM, listGroups, publish, trim } from '@portcullis/events';
import { listHeartbeats } from '@portcullis/runtime';
import { eventually, type SyslogFields, startSyslog, type TestSyslog } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let collector: TestSyslog;

beforeEach(async () => {
  [harness, collector] = await Promise.all([openHarness(), startSyslog({ protocol: 'tcp' })]);
});
afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

const settingsFor = (port: number, more: Partial<SyslogSettings> = {}) => ({
  syslog_enabled: true,
  syslog_host: '127.0.0.1',
  syslog_port: port,
  syslog_protocol: 'tcp' as const,
  ...more,
});

const eventOf = ({ sd }: SyslogFields) => sd['portcullis@32473']?.event ?? '';
const named = (prefix: string) => async () =>
  (await collector.received()).map(eventOf).filter((name) => name.startsWith(prefix));
const numbered = (prefix: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i + from}`);
/** Unread events of each group that reads the audit stream. */
const unreadByGroup = async () => {
  const groups = await listGroups(harness.redis);
  return Object.fromEntries(groups.map(({ name, pending, lag }) => [name, pending + (lag ?? 0)]));
};
const unread = async () => (await unreadByGroup()).syslog;

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

it('a collector gets neither the event that enabled it nor earlier ones', async () => {
  const enabledBy = { request_id: 'enabling' };
  await harness.set('syslog', { ...settingsFor(collector.port), ...{ enabledBy: 'enabling' } });
  await publish(harness.redis, sampleEvent({ event: 'on.itself', ...enabledBy }));
  await harness.start();
  await harness.publish('on.after');
  await expect.poll(named('on.')).toEqual(['on.after']);
  await expect.poll(unread).toBe(0);
});

it('a test message that the collector took is not followed by an event about it', async () => {
  await harness.set('syslog', settingsFor(collector.port));
  await harness.start();
  const test = { event: 'network.syslog_test' };
  for (const delivered of [true, 'unknown', false]) {
    await publish(harness.redis, sampleEvent({ ...test, detail: { delivered } }));
  }
  await publish(
    harness.redis,
    sampleEvent({ event: 'network.email_test', detail: { delivered: true } }),
  );
  await expect.poll(named('network.email')).toEqual(['network.email_test']);
  expect(await named('network.syslog')()).toEqual([test.event, test.event]);
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

it('killed between delivery and acknowledgement, delivered events are sent again and none is lost', async () => {
  await using between = await holdingProxy(collector.port);
  const env = {
    SYSLOG_ENABLED: 'true',
    SYSLOG_HOST: '127.0.0.1',
    SYSLOG_PORT: String(between.port),
    SYSLOG_PROTOCOL: 'tcp',
  };
  const names = numbered('kill.', 5);
  // Published before its start, so that one batch has them all.
  await harness.publish(...names);
  const first = await harness.start(env);
  // The collector has received everything, but the notifier has not recorded that yet.
  await expect.poll(named('kill.')).toEqual(names);
  expect(await unread()).toBe(5);
  await end(first, 'SIGKILL');

  between.release();
  await harness.publish('kill.after');
  await harness.start(env);
  await expect.poll(named('kill.')).toEqual([...names, ...names, 'kill.after']);
  await expect.poll(unread).toBe(0);
});

it('process logs are forwarded while enabled, except those about the collector', async () => {
  await harness.set(
    'syslog',
    settingsFor(collector.port, { syslog_forward_uvicorn: true, syslog_forward_audit: false }),
  );
  const notifier = await harness.start();
  const logged = async () =>
    (await collector.received())
      .filter(({ msgid }) => msgid === 'log')
      .map(({ msg }) => JSON.parse(msg).msg);
  await expect.poll(logged).toContain('ready');
  await harness.publish('not.forwarded');
  expect(await named('not.')()).toEqual([]);

  await collector.halt();
  await harness.set('syslog', settingsFor(collector.port, { syslog_forward_uvicorn: true }));
  await expect.poll(() => harness.redis.xlen(LOG_STREAM)).toBeGreaterThan(0);
  await collector.start();
  await expect.poll(logged).toContain('network settings changed');
  expect((await logged()).filter((text) => text.includes('not taken'))).toEqual([]);
  expect(await end(notifier, 'SIGTERM')).toBe(0);
});

/** Forwards everything, but delays the collector's end of the connection until released. */
async function holdingProxy(target: number) {
  const sockets = new Set<Socket>();
  let held = true;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const collectorSide = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, collectorSide]) sockets.add(socket.on('error', () => undefined));
    client.pipe(collectorSide);
    collectorSide.resume().on('end', () => {
      if (!held) client.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    release() {
      held = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('G14: events are not delivered to our own Redis, whatever the settings are', async () => {
  await harness.start();
  await harness.set('syslog', settingsFor(Number(new URL(harness.redisUrl).port)));
  await harness.publish('inner.0');
  const heartbeatDetails = async () =>
    JSON.stringify((await listHeartbeats(harness.redis)).map(({ detail }) => detail));
  await expect.poll(heartbeatDetails).toContain('it is an internal service');
  expect(await unread()).toBeGreaterThan(0);
});
