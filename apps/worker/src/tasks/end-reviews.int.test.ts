/** The ends of review requests, on a real PostgreSQL, with a clock that the test moves. */
import { type AuditEvent, NO_FINDINGS } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { type NewReview, openStore, type Store } from '@portcullis/store';
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

async function requested(name: string, change: Partial<NewReview> = {}) {
  const dev = await store.users.insert({ username: name, passwordHash: null });
  await store.folders.insertFolder({ name });
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
        ...{ kind: 'local', registryId: '__local__', host: 'here', folder: name },
        ...{ repository: `${name}/nginx`, tag: '1' },
      },
      ...{ findings: [], age: null, signatures: null, counts: NO_FINDINGS },
      ...{ reason: 'none', ticket: null, push: null, requestedBy: dev },
      ...{ until: days(30), endsAt: days(7), ...change },
    },
    START,
  );
  return { number, dev, job };
}

async function published(): Promise<AuditEvent[]> {
  const sent: AuditEvent[] = [];
  await store.outbox.publish(async (events) => {
    sent.push(...events);
    return 'stream';
  }, 100);
  return sent;
}

it('a request that was not decided in time ends once, with an event for its requester', async () => {
  const { number, dev, job } = await requested('shop');
  const flush = vi.fn(async () => {});
  const endAt = (now: Date) =>
    endReviews({ reviews: store.reviews, audit: { flush }, now: () => now });
  await endAt(days(6));
  expect(flush).not.toHaveBeenCalled();
  await endAt(days(7));
  await endAt(days(8));
  expect(flush).toHaveBeenCalledTimes(1);
  expect((await store.reviews.get(number)).state).toBe('expired');
  expect(await published()).toMatchObject([
    {
      ...{ event: 'review.expired', actor: { name: 'gate' } },
      resource: { kind: 'review', id: String(number), name: 'nginx:1', folder: 'shop' },
      detail: { number, state: 'expired', job_id: job.id, requested_by: { id: dev.id } },
    },
  ]);
});

it.each([
  ['aged', days(2), true],
  ['young', days(9), false],
])('a request for the age of an image that is %s says whether it is old enough', async (...row) => {
  const [name, waitsUntil, isOld] = row;
  const age = { sightedAt: START, waitsUntil };
  const { number } = await requested(name, { age, endsAt: days(2) });
  const audit = { flush: async () => {} };
  await endReviews({ reviews: store.reviews, audit, now: () => days(2) });
  expect(await published()).toMatchObject([
    {
      event: 'review.expired',
      detail: { number, findings: 0, waits_until: waitsUntil.toISOString(), old_enough: isOld },
    },
  ]);
});
