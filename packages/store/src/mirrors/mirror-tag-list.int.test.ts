/** The list of the tags of a mirror, on a real PostgreSQL. */
import { MIRROR_TAG_STATES, type MirrorTagState } from '@portcullis/domain/mirror';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;
let ownerId: string;

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const [A, B] = [digestOf('a'), digestOf('b')];
const SILENT = { code: 'UPSTREAM_SILENT', message: 'silent', gone: false };
const GONE = { code: 'MANIFEST_UNKNOWN', message: 'gone', gone: true };
const BLOCKED = { code: 'VULN_BLOCKED', message: 'blocked', side: null, retryable: false };
const BROKEN = { code: 'REGISTRY_UNREACHABLE', message: 'down', side: null, retryable: true };

interface Known {
  here?: string;
  upstream?: string | null;
  good?: { digest: string; source: string };
  fault?: object;
  /** Of the job for the digest of the upstream. */
  job?: { status: string; error?: object; of?: string };
}

const PLACES: [name: string, known: Known, state: MirrorTagState | null][] = [
  ['same', { here: A, upstream: A }, 'current'],
  ['unchecked', { here: A, upstream: null }, 'current'],
  ['reduced', { here: B, upstream: A, good: { digest: B, source: A } }, 'current'],
  ['reduced-moved', { here: B, upstream: A, good: { digest: B, source: digestOf('c') } }, 'behind'],
  ['blocked', { here: A, upstream: B, job: { status: 'failed', error: BLOCKED } }, 'behind'],
  ['moving', { here: A, upstream: B, job: { status: 'scanning' } }, 'coming'],
  ['earlier', { here: A, upstream: B, job: { status: 'scanning', of: A } }, 'behind'],
  ['silent', { here: A, upstream: B, fault: SILENT }, 'unanswered'],
  ['gone', { here: A, upstream: A, fault: GONE }, 'withdrawn'],
  ['new', { upstream: B, job: { status: 'pulling' } }, 'coming'],
  ['refused', { upstream: B, job: { status: 'failed', error: BLOCKED } }, 'refused'],
  ['broken', { upstream: B, job: { status: 'failed', error: BROKEN } }, 'failed'],
  ['evicted', { upstream: B, job: { status: 'pushed' } }, null],
  [
    'evicted-and-refused',
    { upstream: B, good: { digest: A, source: A }, job: { status: 'failed', error: BLOCKED } },
    'refused',
  ],
  ['asked', { upstream: B }, null],
];

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  ownerId = (await store.users.insert({ username: 'ada', passwordHash: null })).id;
  for (const [name, known] of PLACES) await know(`up/lib/${name}`, '1', known);
  await know('up/lib/same', A, { upstream: A, job: { status: 'pulling', of: A } });
  await know('upper/lib/same', '1', { here: A, upstream: A });
  await know('up_/lib/same', '1', { here: A, upstream: A });
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

async function know(repository: string, reference: string, known: Known): Promise<void> {
  const { here, upstream = null, good, fault, job } = known;
  if (here !== undefined) await tagHere(repository, reference, here);
  const jobId = job ? await insertJob(job, upstream) : null;
  await sql.query(
    `INSERT INTO mirror_tags (repository, reference, upstream_digest, good_digest, good_source,
                              good_at, fault, job_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[repository, reference, upstream, good?.digest ?? null, good?.source ?? null],
      ...[good ? new Date() : null, fault ?? null, jobId],
    ],
  );
}

async function tagHere(repository: string, tag: string, digest: string): Promise<void> {
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', subject: null, size: 1 },
    ...{ artifactType: null, platforms: ['linux/amd64'], contents: [] },
  };
  const at = new Date();
  await store.images.record({ repository, tag, digest, manifests: [manifest], at });
}

async function insertJob(
  { status, error, of }: NonNullable<Known['job']>,
  upstream: string | null,
): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const image = { image: 'a', tag: '1', source, sourceDigest: of ?? upstream };
  const { id } = await store.jobs.insert({ ownerId, ...image });
  await sql.query('UPDATE staging_jobs SET status = $2, error = $3 WHERE id = $1', [
    ...[id, status, error ?? null],
  ]);
  return id;
}

const page = { folder: 'up', page: 1, pageSize: 50 };
const named = async (filter: Partial<Parameters<Store['mirrors']['tags']>[0]>) => {
  const { items, total } = await store.mirrors.tags({ ...page, ...filter });
  return { total, names: items.map(({ repository }) => repository.split('/').at(-1)) };
};

describe('the tags of a mirror', () => {
  it('have one state each; what is neither here nor on its way is not listed', async () => {
    const { items, total } = await store.mirrors.tags(page);
    const states = Object.fromEntries(
      items.map(({ repository, state }) => [repository.slice('up/lib/'.length), state]),
    );
    const expected = PLACES.filter(([, , state]) => state !== null);
    expect(states).toEqual(Object.fromEntries(expected.map(([name, , state]) => [name, state])));
    expect(total).toBe(expected.length);
  });

  it('are the most urgent first, by name, and by their last pull', async () => {
    const { names } = await named({});
    expect(names.slice(1, 5)).toEqual(['refused', 'blocked', 'earlier', 'reduced-moved']);
    const byName = (await named({ sort: 'name' })).names;
    expect((await named({ sort: '-name' })).names).toEqual(byName.toReversed());
    for (const sort of ['passed_at', '-passed_at', 'used_at', '-used_at'] as const)
      expect((await named({ sort })).names.toSorted()).toEqual(byName.toSorted());
  });

  it('are found by parts of their names and by their state, page by page', async () => {
    expect(await named({ q: 'LIB/re :1' })).toMatchObject({ total: 3 });
    expect(await named({ state: 'coming' })).toEqual({ total: 2, names: ['moving', 'new'] });
    expect(await named({ pageSize: 5, page: 3 })).toMatchObject({
      total: 13,
      names: ['reduced', 'same', 'unchecked'],
    });
    expect(await named({ pageSize: 5, page: 4 })).toEqual({ total: 13, names: [] });
  });

  it('are counted by their state', async () => {
    const { tags, passedThisWeek } = await store.mirrors.figures('up');
    const count = (wanted: MirrorTagState) =>
      PLACES.filter(([, , state]) => state === wanted).length;
    expect(tags).toEqual(
      Object.fromEntries(MIRROR_TAG_STATES.map((state) => [state, count(state)])),
    );
    expect(passedThisWeek).toBe(2);
  });

  it('are read by an index', async () => {
    await sql.query('SET enable_seqscan = off');
    const { rows } = await sql.query(
      `EXPLAIN SELECT FROM mirror_tags WHERE split_part(repository, '/', 1) = 'up'`,
    );
    expect(JSON.stringify(rows)).toContain('mirror_tags_folder_idx');
  });
});
