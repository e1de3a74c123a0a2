/** Webhooks and events for tests of a notifier as a process. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookKind } from '@portcullis/domain';
import { publish } from '@portcullis/events';
import type { StoredWebhook } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import type { Harness } from './harness.ts';
import type { Receiver } from './receiver.ts';

/** The receivers of the tests have private addresses. */
export const OPEN = { EGRESS_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://gate.example' };

/** The port of tcpmux, a protocol that is not in use. */
export const UNUSED = 'http://127.0.0.1:1/hook';

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

interface Wanted {
  url: string;
  kinds?: WebhookKind[];
  folder?: string | null;
  format?: StoredWebhook['format'];
  secret?: string;
}

export function insertWebhook({ store }: Harness, wanted: Wanted): Promise<StoredWebhook> {
  const { url, kinds = [], folder = null, format = 'cloudevents', secret = newSecret() } = wanted;
  const fields = { name: 'hook', createdBy: 'root', url, folder, kinds, format, secret };
  return store.webhooks.insert(fields);
}

/** The receiver verifies deliveries with the secret of the webhook. */
export async function webhookTo(
  harness: Harness,
  receiver: Receiver,
  wanted: Partial<Wanted> = {},
): Promise<StoredWebhook> {
  const secret = newSecret();
  receiver.secrets.push(secret);
  return insertWebhook(harness, { url: receiver.url, secret, ...wanted });
}

/** Publishes the push of an image, and returns the id of the event. */
export async function push(
  { redis }: Harness,
  repository: string,
  time = new Date(),
): Promise<string> {
  const id = randomUUID();
  const [folder = ''] = repository.split('/');
  const resource = { kind: 'image', id: 'sha256:1', name: repository, folder };
  const at = time.toISOString();
  await publish(redis, sampleEvent({ id, at, event: 'image.push', resource }));
  return id;
}

export async function deliveriesOf({ store }: Harness, { id }: StoredWebhook) {
  return (await store.webhookDeliveries.list(id, {})).items;
}

export async function statesOf(harness: Harness, hook: StoredWebhook) {
  const deliveries = await deliveriesOf(harness, hook);
  return deliveries.map(({ state, status, code }) => [state, status, code]);
}

export async function sql({ databaseUrl }: Harness, text: string): Promise<void> {
  const client = await openSql(databaseUrl);
  await client.query(text);
  await client.end();
}
