/**
 * The notifier as a process, with webhooks whose receivers fail: what each delivery says, and the
 * audit events.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listGroups } from '@portcullis/events';
import type { StoredWebhook } from '@portcullis/store';
import { makeCertificate, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, type Harness, openHarness } from './harness.ts';
import { startReceiver } from './receiver.ts';
import {
  deliveriesOf,
  insertWebhook,
  OPEN,
  push,
  statesOf,
  UNUSED,
  webhookTo,
} from './webhook-harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

/** Events that no delivery was made of yet. */
async function unread(): Promise<number | undefined> {
  const group = (await listGroups(harness.redis)).find(({ name }) => name === 'webhooks');
  return group && group.pending + (group.lag ?? 0);
}

async function eventsOf({ id }: StoredWebhook) {
  const named = ['webhook.failing', 'webhook.disabled'].map(async (event) => {
    const { items } = await harness.store.audit.list({ event });
    return items
      .filter(({ resource }) => resource?.id === id)
      .map(({ outcome, detail }) => [event, outcome, detail.code, detail.status]);
  });
  return (await Promise.all(named)).flat();
}

const failing = (code: string, status: number | null = null) => [
  ['webhook.failing', 'failure', code, status],
];

it('a private address is never reached without a setting', async () => {
  await using receiver = await startReceiver();
  const hook = await webhookTo(harness, receiver);
  await harness.start();
  await push(harness, 'team/app');
  await expect.poll(() => statesOf(harness, hook)).toEqual([['waiting', null, 'EGRESS_PRIVATE']]);
  await expect.poll(() => eventsOf(hook)).toEqual(failing('EGRESS_PRIVATE'));
  expect(receiver.received).toEqual([]);
});

it('a redirect is not followed', async () => {
  await using target = await startReceiver();
  await using receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(307, { location: target.url }).end();
  const hook = await webhookTo(harness, receiver);
  await harness.start(OPEN);
  await push(harness, 'team/app');
  const redirected = [['waiting', 307, 'WEBHOOK_REDIRECTED']];
  await expect.poll(() => statesOf(harness, hook)).toEqual(redirected);
  await expect.poll(() => eventsOf(hook)).toEqual(failing('WEBHOOK_REDIRECTED', 307));
  expect(target.received).toEqual([]);
});

it('a receiver that does not answer within ten seconds is tried again', async () => {
  await using receiver = await startReceiver();
  receiver.answer = () => undefined;
  const hook = await webhookTo(harness, receiver);
  await harness.start(OPEN);
  await push(harness, 'team/app');
  const timedOut = [['waiting', null, 'WEBHOOK_TIMEOUT']];
  await expect.poll(() => statesOf(harness, hook)).toEqual(timedOut);
  await expect.poll(() => eventsOf(hook)).toEqual(failing('WEBHOOK_TIMEOUT'));
});

it('a receiver that does not listen is unreachable', async () => {
  const hook = await insertWebhook(harness, { url: UNUSED });
  await harness.start(OPEN);
  await push(harness, 'team/app');
  const unreachable = [['waiting', null, 'WEBHOOK_UNREACHABLE']];
  await expect.poll(() => statesOf(harness, hook)).toEqual(unreachable);
  await expect.poll(() => eventsOf(hook)).toEqual(failing('WEBHOOK_UNREACHABLE'));
});

it('a receiver that breaks the connection is unreachable', async () => {
  await using receiver = await startReceiver();
  receiver.answer = (response) => response.destroy();
  const hook = await webhookTo(harness, receiver);
  await harness.start(OPEN);
  await push(harness, 'team/app');
  const unreachable = [['waiting', null, 'WEBHOOK_UNREACHABLE']];
  await expect.poll(() => statesOf(harness, hook)).toEqual(unreachable);
});

it('a receiver gets nothing before its certificate is trusted', async () => {
  await using dir = await temporaryDir();
  const certificate = makeCertificate();
  await using receiver = await startReceiver(certificate);
  const hook = await webhookTo(harness, receiver);
  const first = await harness.start(OPEN);
  const id = await push(harness, 'team/app');
  const untrusted = [['waiting', null, 'WEBHOOK_TLS_FAILED']];
  await expect.poll(() => statesOf(harness, hook)).toEqual(untrusted);
  await expect.poll(() => eventsOf(hook)).toEqual(failing('WEBHOOK_TLS_FAILED'));
  expect(receiver.received).toEqual([]);
  await end(first, 'SIGTERM');

  const file = path.join(dir.path, 'ca.pem');
  await writeFile(file, certificate.certificate);
  await harness.start({ ...OPEN, NODE_EXTRA_CA_CERTS: file });
  await expect.poll(() => receiver.received).toMatchObject([{ id, verifiedBy: [0] }]);
});

it('a webhook that is gone is disabled, which is an audit event', async () => {
  await using receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(410).end();
  const hook = await webhookTo(harness, receiver);
  await harness.start(OPEN);
  await push(harness, 'team/app');
  const stored = () => harness.store.webhooks.find(hook.id);
  await expect.poll(stored).toMatchObject({ enabled: false, disabledReason: 'gone' });
  await expect
    .poll(() => statesOf(harness, hook))
    .toMatchObject([['failed', 410, 'WEBHOOK_REFUSED']]);
  const disabled = [['webhook.disabled', 'failure', 'WEBHOOK_REFUSED', 410]];
  await expect.poll(() => eventsOf(hook)).toEqual(disabled);
  await push(harness, 'team/later');
  await expect.poll(unread).toBe(0);
  expect(receiver.received).toHaveLength(1);

  // Enabled and replayed, the same event arrives with the same id.
  receiver.answer = (response) => response.writeHead(204).end();
  await harness.store.webhooks.update(hook.id, { enabled: true });
  const [failed] = await deliveriesOf(harness, hook);
  await harness.store.webhookDeliveries.replay(hook.id, failed?.id ?? '', new Date());
  await expect
    .poll(() => receiver.received.map(({ id }) => id))
    .toEqual([failed?.eventId, failed?.eventId]);
});

it('each outage of a receiver is one audit event', async () => {
  await using receiver = await startReceiver();
  const hook = await webhookTo(harness, receiver);
  await harness.start(OPEN);
  for (const outages of [1, 2]) {
    // Refused once, because the next attempt may come before the event is recorded.
    const answers = [503];
    receiver.answer = (response) => response.writeHead(answers.pop() ?? 204).end();
    await push(harness, 'team/app');
    await expect.poll(() => eventsOf(hook)).toHaveLength(outages);
    const [latest] = await deliveriesOf(harness, hook);
    await expect
      .poll(() => harness.store.webhookDeliveries.find(hook.id, latest?.id ?? ''))
      .toMatchObject({ state: 'delivered', attempts: 2 });
  }
  expect(await eventsOf(hook)).toEqual([
    ...failing('WEBHOOK_REFUSED', 503),
    ...failing('WEBHOOK_REFUSED', 503),
  ]);
});
