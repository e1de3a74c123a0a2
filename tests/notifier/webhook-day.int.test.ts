/**
 * A receiver that answers 500 for a day: webhooks with a clock that the test moves, on a real
 * PostgreSQL and Redis. A notifier as a process mails what they record.
 */
import { createAuditLog } from '@portcullis/events';
import { createGuardedTransports } from '@portcullis/oci/remote';
import { createLogger } from '@portcullis/runtime';
import { startSmtp } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onWebhooks } from '../../apps/notifier/src/webhooks/on-webhooks.ts';
import { type Harness, openHarness } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { deliveriesOf, push, statesOf, webhookTo } from './webhook-harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let harness: Harness;
let parts: AsyncDisposableStack;
let now: Date;
beforeEach(async () => {
  harness = await openHarness();
  parts = new AsyncDisposableStack();
  // Later than the rows, which have the clock of the database.
  now = new Date(Date.now() + 60_000);
});
afterEach(async () => {
  await parts.disposeAsync();
  await harness[Symbol.asyncDispose]();
});

async function startWebhooks(): Promise<void> {
  const { redis, store } = harness;
  const log = createLogger({ name: 'test', level: 'silent' });
  const transports = await createGuardedTransports({
    ...{ own: [], allow: ['127.0.0.1'], deny: [], proxy: () => undefined },
    transport: { client: { userAgent: 'test' } },
  });
  parts.defer(() => transports.close());
  const audit = createAuditLog({ redis, outbox: store.outbox, log });
  parts.defer(async () => audit.stop?.());
  const webhooks = onWebhooks({
    ...{ redis, store, audit, log },
    transport: transports.external(false),
    source: 'https://gate.example',
    consumer: 'test',
    pollMs: 20,
    now: () => now,
  });
  parts.defer(async () => webhooks.stop?.());
  await webhooks.start?.();
}

it('answers of 500 are tried again with growing pauses for a day, and disable the webhook', async () => {
  await using receiver = await startReceiver();
  await using mail = await startSmtp();
  await harness.set('email', {
    ...{ enabled: true, host: '127.0.0.1', port: mail.port, security: 'none' },
    ...{ from_address: 'gate@example.com', to_addresses: ['ops@example.com'], notify_audit: true },
  });
  receiver.answer = (response) => response.writeHead(500).end();
  const hook = await webhookTo(harness, receiver);
  await startWebhooks();
  await push(harness, 'team/app');

  const began = now;
  const pauses: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const settled = () => deliveriesOf(harness, hook);
    await expect.poll(settled).toMatchObject([{ attempts, status: 500, attemptedAt: now }]);
    const [delivery] = await settled();
    const next = delivery?.nextAttemptAt ?? null;
    if (next === null) break;
    pauses.push(next.getTime() - now.getTime());
    // A moment before nothing is sent: the next attempt has the time of the clock.
    now = next;
  }

  const doubled = Array.from({ length: 10 }, (_, nth) => 5 * SECOND * 2 ** nth);
  const hourly = Array.from({ length: 23 }, () => HOUR);
  expect(pauses).toEqual([...doubled, ...hourly]);
  const sinceBegan = now.getTime() - began.getTime();
  expect(sinceBegan).toBeGreaterThanOrEqual(DAY);
  expect(sinceBegan - HOUR).toBeLessThan(DAY);
  expect(receiver.received).toHaveLength(pauses.length + 1);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);

  expect(await statesOf(harness, hook)).toEqual([['failed', 500, 'WEBHOOK_REFUSED']]);
  expect(await harness.store.webhooks.find(hook.id)).toMatchObject({
    ...{ enabled: false, disabledReason: 'failing', failingSince: began },
  });
  const failingSince = began.toISOString();
  const facts = { code: 'WEBHOOK_REFUSED', status: 500, failing_since: failingSince };
  await harness.start();
  const recorded = async (event: string) => (await harness.store.audit.list({ event })).items;
  await expect
    .poll(() => recorded('webhook.failing'))
    .toMatchObject([{ at: failingSince, resource: { id: hook.id }, detail: facts }]);
  await expect
    .poll(() => recorded('webhook.disabled'))
    .toMatchObject([
      {
        ...{ at: now.toISOString(), outcome: 'failure', actor: { name: 'notifier' } },
        ...{ resource: { kind: 'webhook', id: hook.id }, detail: { reason: 'failing', ...facts } },
      },
    ]);
  await expect
    .poll(() => mail.mails.map(({ email }) => JSON.stringify(email)).join())
    .toContain('webhook.disabled');
});
