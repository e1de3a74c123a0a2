/** The ends of review requests, on a real PostgreSQL, with a clock that the test moves. */
import type { AuditEvent } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endReviews } from './end-reviews.ts';

const START = new Date('2026-11-22T12:00:00Z');
const days = (count: number) => new Date(START.getTime() + count * 86_400_000);

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

it('a request that was not decided in time ends once, with an event for its requester', async () => {
  const dev = await store.users.insert({ username: 'dev', passwordHash: null });
  await store.folders.insertFolder({ name: 'shop' });
  const source = { kind: 'dockerhub', registryId: null, host: 'docker.io' } as const;
  const job = await store.jobs.insert({ ownerId: dev.id, image: 'nginx', tag: '1', source });
  const { number } = await store.reviews.insertReview(
    {
      jobId: job.id,
      image: {
        digest: 'sha256:a',
        registryId: null,
        host: 'docker.io',
        repository: 'nginx',
        tag: '1',
      },
      destination: {
        ...{ kind: 'local', registryId: '__local__', host: 'here', folder: 'shop' },
        ...{ repository: 'shop/nginx', tag: '1' },
      },
      ...{ findings: [], counts: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 } },
      ...{ reason: 'none', ticket: null, push: null, requestedBy: dev },
      ...{ until: days(30), endsAt: days(7) },
    },
    START,
  );
  const flush = vi.fn(async () => {});
  const endAt = (now: Date) =>
    endReviews({ reviews: store.reviews, audit: { flush }, now: () => now });
  await endAt(days(6));
  expect(flush).not.toHaveBeenCalled();
  await endAt(days(7));
  await endAt(days(8));
  expect(flush).toHaveBeenCalledTimes(1);
  expect((await store.reviews.get(number)).state).toBe('expired');
  const sent: AuditEvent[] = [];
  await store.outbox.publish(async (events) => {
    sent.push(...events);
    return 'stream';
  }, 100);
  expect(sent).toMatchObject([
    {
      ...{ event: 'review.expired', actor: { name: 'gate' } },
      resource: { kind: 'review', id: String(number), name: 'nginx:1', folder: 'shop' },
      detail: { number, state: 'expired', job_id: job.id, requested_by: { id: dev.id } },
    },
  ]);
});
