/**
 * `mirror.last_good` is recorded once for each change, wherever it is noticed: by a check, after
 * the job that was to bring the new image in, or by a pull, of any number of processes at once.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@portcullis/domain';
import type { UpstreamAnswer } from '@portcullis/domain/mirror';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDueChecks } from './due-checks.ts';
import { createHeldChanges } from './held-changes.ts';

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const [GOOD, BAD, WORSE] = ['a', 'b', 'c'].map(digestOf) as [string, string, string];
const GONE = { fault: { code: 'MANIFEST_UNKNOWN', message: 'manifest unknown', gone: true } };
const SILENT = { fault: { code: 'UPSTREAM_SILENT', message: 'no answer', gone: false } };
const MIRROR = {
  ...{ registryId: null, prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 },
};

let database: TestDatabase;
let store: Store;
let ownerId: string;
let place: { repository: string; reference: string };
let images = 0;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  ownerId = (await store.users.insert({ username: 'dev', passwordHash: null })).id;
  await store.folders.insertFolder({ name: 'up', mirror: MIRROR });
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});
beforeEach(async () => {
  images += 1;
  place = { repository: `up/app-${images}`, reference: '1' };
  const { repository, reference: tag } = place;
  await store.images.record({ repository, tag, digest: GOOD, manifests: [], at: new Date() });
  await answered({ digest: GOOD });
  await store.mirrors.passed(place, { goodDigest: GOOD, goodSource: GOOD });
  await published();
});

const answered = (answer: UpstreamAnswer) =>
  store.mirrors.answered(place, { answer, isTag: true, dueSeconds: 3600 });

/** The job that was to bring in what the upstream has now, and what became of it. */
async function broughtIn(digest: string, code: string | null): Promise<void> {
  await answered({ digest });
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const wanted = { ownerId, image: 'library/app', tag: '1', source, sourceDigest: digest };
  const made = await store.mirrors.bringIn(
    place,
    async () => wanted,
    () => sampleEvent({ id: randomUUID(), event: 'mirror.bring_in' }),
  );
  if (!made || code === null) return;
  const error = { code, message: 'refused', side: null, retryable: false };
  await store.jobs.update(made.jobId, (job) => ({ ...job, status: 'failed', error }));
}

/** A round of checks in one process: no upstream is due. */
const round = () =>
  createDueChecks({
    mirrors: () => store.mirrors.byFolder(),
    store: store.mirrors,
    upstream: { look: () => Promise.reject(new Error('no upstream is due')) },
    bringIns: { beginLater: async () => false },
    heldChanges: createHeldChanges({ store: store.mirrors }),
    immutableTags: { patternOf: async () => (tag) => (tag === 'fixed' ? 'fixed' : null) },
    log: { warn() {} },
  }).run(new AbortController().signal);

/** Of a client that was served the last good image. */
async function pulled(upstreamDigest: string): Promise<void> {
  const known = await store.mirrors.find(place);
  await createHeldChanges({ store: store.mirrors }).note({
    ...{ mirror: { folder: 'up' }, place, known },
    behind: { because: 'other_digest', upstreamDigest },
    by: { id: ownerId, username: 'dev' },
  });
}

/** Since the last look. */
async function published(): Promise<AuditEvent[]> {
  const sent: AuditEvent[] = [];
  await store.outbox.publish(async (events) => {
    sent.push(...events);
    return 'stream';
  }, 500);
  return sent.filter(({ event }) => event === 'mirror.last_good');
}

it('after the job, without a pull, and not while the new image is on its way', async () => {
  await broughtIn(BAD, null);
  await round();
  expect(await published()).toEqual([]);
  await broughtIn(BAD, 'VULN_BLOCKED');
  await round();
  expect(await published()).toMatchObject([
    {
      ...{ actor: { id: null, name: 'mirror' }, action: 'check' },
      resource: { kind: 'image', id: GOOD, name: place.repository, folder: 'up' },
      detail: { tag: '1', because: 'other_digest', upstream_digest: BAD, code: 'VULN_BLOCKED' },
    },
  ]);
  await round();
  await pulled(BAD);
  expect(await published()).toEqual([]);
});

it('once, of processes that check and clients that pull at the same time', async () => {
  await broughtIn(BAD, 'TOO_YOUNG');
  await Promise.all([round(), pulled(BAD), round(), pulled(BAD), round()]);
  expect(await published()).toMatchObject([
    { detail: { upstream_digest: BAD, code: 'TOO_YOUNG' } },
  ]);
});

it('for each change: another digest, a withdrawn tag, and what comes back', async () => {
  const noted = async () => {
    await round();
    return (await published()).map(({ detail }) => detail.upstream_digest ?? detail.because);
  };
  await broughtIn(BAD, 'VULN_BLOCKED');
  expect(await noted()).toEqual([BAD]);
  await answered(SILENT);
  expect(await noted()).toEqual([]);
  await answered({ digest: BAD });
  expect(await noted()).toEqual([]);
  await broughtIn(WORSE, 'VULN_BLOCKED');
  expect(await noted()).toEqual([WORSE]);
  await answered(GONE);
  expect(await noted()).toEqual(['withdrawn']);
  await answered({ digest: WORSE });
  expect(await noted()).toEqual([WORSE]);
  await answered({ digest: GOOD });
  expect(await noted()).toEqual([]);
  await broughtIn(WORSE, 'VULN_BLOCKED');
  expect(await noted()).toEqual([WORSE]);
});

it('not for what the upstream has changed since it was read', async () => {
  await broughtIn(BAD, 'VULN_BLOCKED');
  const known = await store.mirrors.find(place);
  await broughtIn(WORSE, 'VULN_BLOCKED');
  await round();
  expect(await published()).toHaveLength(1);
  await createHeldChanges({ store: store.mirrors }).note({
    ...{ mirror: { folder: 'up' }, place, known, by: null },
    behind: { because: 'other_digest', upstreamDigest: BAD },
  });
  await round();
  expect(await published()).toEqual([]);
});

it('not of an immutable tag, nor where the folder is no mirror any more', async () => {
  const { repository } = place;
  place = { repository, reference: 'fixed' };
  await store.images.record({
    ...{ repository, tag: 'fixed', digest: GOOD, manifests: [], at: new Date() },
  });
  await broughtIn(BAD, 'VULN_BLOCKED');
  await round();
  expect(await published()).toEqual([]);
  place = { repository: 'other/app', reference: '1' };
  await store.images.record({
    ...{ repository: 'other/app', tag: '1', digest: GOOD, manifests: [], at: new Date() },
  });
  await broughtIn(BAD, 'VULN_BLOCKED');
  await round();
  expect(await published()).toEqual([]);
});
