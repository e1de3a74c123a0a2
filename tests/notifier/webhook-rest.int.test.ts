/** What the REST API says of deliveries that a notifier could not make. */
import type { ChildProcess } from 'node:child_process';
import { json, makeCertificate } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { end, startNotifier } from './harness.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { OPEN, UNUSED } from './webhook-harness.ts';

let api: TestApi;
let admin: Client;
let notifier: ChildProcess;
let untrusted: Receiver;

beforeAll(async () => {
  [api, untrusted] = await Promise.all([startApi(), startReceiver(makeCertificate())]);
  await api.account('root', { isAdmin: true });
  admin = await api.as('root');
  // The key of the api's fixture.
  const key = Buffer.alloc(32, 1).toString('hex');
  notifier = await startNotifier({ ...api.surroundings.env, ...OPEN, SECRET_KEY: key });
});
afterAll(async () => {
  if (notifier) await end(notifier, 'SIGTERM');
  await untrusted?.[Symbol.asyncDispose]();
  await api?.stop();
});

async function read(path: string) {
  return json(admin.get(path));
}

it.each([
  ['WEBHOOK_UNREACHABLE', 'does not listen', () => UNUSED],
  ['WEBHOOK_TLS_FAILED', 'has a certificate that is not trusted', () => untrusted.url],
])('%s: the receiver %s', async (code, _, url) => {
  const made = await admin.post('/api/webhooks', { name: code, url: url() });
  const { id } = await json(made);
  const sent = await json(admin.post(`/api/webhooks/${id}/test`));
  const time = expect.any(String);
  const failed = { id: sent.id, state: 'waiting', status: null, code, next_attempt_at: time };
  await expect.poll(() => read(`/api/webhooks/${id}/deliveries`)).toMatchObject([failed]);
  expect(await read(`/api/webhooks/${id}/deliveries/${sent.id}`)).toMatchObject(failed);
  expect(await read(`/api/webhooks/${id}`)).toMatchObject({
    ...{ enabled: true, disabled_reason: null, failing_since: time },
    last_attempt: { status: null, code },
  });
  const recorded = async () =>
    (await read('/api/system/audit?event=webhook.failing')).filter(
      ({ resource }: { resource: { id: string } }) => resource.id === id,
    );
  await expect.poll(recorded).toMatchObject([
    {
      ...{ outcome: 'failure', actor: { name: 'notifier' } },
      ...{ resource: { kind: 'webhook', name: code }, detail: { code, status: null } },
    },
  ]);
  expect(untrusted.received).toEqual([]);
});
