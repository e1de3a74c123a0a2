/** A collector that is disabled, tested, or away while the notifier is killed. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { LOG_STREAM, publish } from '@portcullis/events';
import { listHeartbeats } from '@portcullis/runtime';
import { sampleEvent } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { end } from './harness.ts';
import {
  collector,
  harness,
  named,
  numbered,
  settingsFor,
  startForwarding,
  unread,
} from './syslog.fixture.ts';

startForwarding();

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

it('G14: events are not delivered to our own Redis, whatever the settings are', async () => {
  await harness.start();
  await harness.set('syslog', settingsFor(Number(new URL(harness.redisUrl).port)));
  await harness.publish('inner.0');
  const heartbeatDetails = async () =>
    JSON.stringify((await listHeartbeats(harness.redis)).map(({ detail }) => detail));
  await expect.poll(heartbeatDetails).toContain('it is an internal service');
  expect(await unread()).toBeGreaterThan(0);
});
