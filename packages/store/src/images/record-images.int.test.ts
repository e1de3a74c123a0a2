/** Concurrent and random changes of a repository's index, compared with a count of all its rows. */
import { randomUUID } from 'node:crypto';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, past, type TestDatabase } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';
import type { ManifestFacts } from './records.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  await store.folders.ensureRoot();
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

const AT = new Date(Date.UTC(2026, 0, 1));

/** Manifests share blobs; those with a high number are indexes of two others. */
function manifestsOf(nth: number): ManifestFacts[] {
  const facts = { artifactType: null, subject: null, size: 10 + nth, platforms: ['linux/amd64'] };
  const content = (digest: string, size: number) => ({ digest, size, isManifest: false });
  const image = (n: number): ManifestFacts => ({
    ...facts,
    digest: `m:${n}`,
    mediaType: 'image',
    size: 10 + n,
    contents: [content(`b:${n % 3}`, 100), content(`own:${n}`, n + 1)],
  });
  if (nth < 6) return [image(nth)];
  const children = [image(nth - 6), image((nth - 5) % 6)];
  const contents = children.map(({ digest, size }) => ({ digest, size, isManifest: true }));
  return [...children, { ...facts, digest: `m:${nth}`, mediaType: 'index', contents }];
}

function record(repository: string, tag: string | null, nth: number): Promise<void> {
  const manifests = manifestsOf(nth);
  const digest = manifests.at(-1)?.digest ?? '';
  return store.images.record({ repository, tag, digest, manifests, at: AT });
}

/** What `find` has to say about the repository. */
async function counted(repository: string): Promise<{ tagCount: number; size: number } | null> {
  const tags = await sql.query('SELECT 1 FROM local_tags WHERE repository = $1', [repository]);
  const { rows } = await sql.query(
    `SELECT digest, size FROM local_contents WHERE repository = $1
      UNION SELECT digest, size FROM local_manifests WHERE repository = $1`,
    [repository],
  );
  if (rows.length === 0) return null;
  const sizes = new Map(rows.map(({ digest, size }) => [digest, Number(size)]));
  return { tagCount: tags.rows.length, size: [...sizes.values()].reduce((sum, n) => sum + n, 0) };
}

async function assertCounts(repository: string): Promise<void> {
  const wanted = await counted(repository);
  const found = await store.images.find(repository);
  expect(found).toEqual(wanted && expect.objectContaining(wanted));
}

const step = fc.record({
  tag: fc.constantFrom('a', 'b', 'c', null),
  nth: fc.nat({ max: 11 }),
  isRemoved: fc.boolean(),
});

describe('the counts of a repository', () => {
  it('are those of its rows after any sequence of pushes, moves and removals', async () => {
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }),
        async (rounds) => {
          nth += 1;
          const repository = `counts/${nth}`;
          for (const round of rounds) {
            await Promise.all(
              round.map(({ tag, nth: image, isRemoved }) =>
                isRemoved && tag !== null
                  ? store.images.removeTag(repository, tag)
                  : record(repository, tag, image),
              ),
            );
            await assertCounts(repository);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are right after 200 concurrent pushes, each of which finds its tag', async () => {
    const tags = Array.from({ length: 200 }, (_, n) => `t${n}`);
    await Promise.all(tags.map((tag, n) => record('counts/busy', tag, n % 12)));
    const found = await store.images.tagNames('counts/busy');
    expect(found.map(({ tag }) => tag).sort()).toEqual(tags.sort());
    await assertCounts('counts/busy');
  });
});

it('a manifest whose contents become known has their size from then on', async () => {
  const [image] = manifestsOf(1) as [ManifestFacts];
  const total = async () => {
    const { rows } = await sql.query(
      'SELECT total_size FROM local_manifests WHERE repository = $1',
      ['counts/late'],
    );
    return rows.map(({ total_size }) => Number(total_size));
  };
  const stored = { repository: 'counts/late', digest: image.digest, at: AT };
  await store.images.record({
    ...stored,
    tag: null,
    manifests: [{ ...image, contents: [], platforms: [] }],
  });
  expect(await total()).toEqual([image.size]);
  await store.images.record({ ...stored, tag: 'a', manifests: [image] });
  const size = image.contents.reduce((sum, each) => sum + each.size, image.size);
  expect(await total()).toEqual([size]);
  await assertCounts('counts/late');
});

describe('a push', () => {
  const CLOCK = `abs(extract(epoch FROM t.updated_at - clock_timestamp())) < 60
             AND abs(extract(epoch FROM m.pushed_at - clock_timestamp())) < 60
             AND abs(extract(epoch FROM r.updated_at - clock_timestamp())) < 60`;

  it.each([
    ['behind', -400],
    ['ahead', 400],
  ])('has the time of the database where the clock of the process is %s', async (name, days) => {
    const repository = `clock/${name}`;
    const manifests = manifestsOf(1);
    const image = { repository, tag: 'a', digest: 'm:1', manifests };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
    try {
      await store.images.record(image);
    } finally {
      vi.useRealTimers();
    }
    const { rows } = await sql.query(
      `SELECT ${CLOCK} AS "isNow" FROM local_tags t
         JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
         JOIN local_repositories r ON r.name = t.repository
        WHERE t.repository = $1`,
      [repository],
    );
    expect(rows).toEqual([{ isNow: true }]);
  });

  it('has a later time than the one before, also of the same image', async () => {
    const image = { repository: 'clock/again', tag: 'a', digest: 'm:1', manifests: [] };
    const times: number[] = [];
    for (let n = 0; n < 3; n++) {
      await store.images.record(image);
      const tag = await store.retention.findTag(image.repository, image.tag);
      times.push(tag?.updatedAt.getTime() ?? 0);
      await past(new Date(Date.now() + 1));
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

describe('concurrent pushes of one tag', () => {
  it('leave the last one, and nothing of the others', async () => {
    await Promise.all([0, 1, 2, 3, 4].map((nth) => record('counts/moving', 'latest', nth)));
    expect(await store.images.tagNames('counts/moving')).toEqual([
      { tag: 'latest', digest: 'm:4' },
    ]);
    expect(await store.images.digests('counts/moving')).toEqual(['m:4']);
  });
});

it('an image that the database refuses does not fail those that are recorded with it', async () => {
  const bad = { ...manifestsOf(1)[0], digest: 'm:\u0000', contents: [] } as ManifestFacts;
  const image = { repository: 'counts/bad', tag: 'bad', digest: bad.digest, at: AT };
  const results = await Promise.allSettled([
    record('counts/bad', 'first', 0),
    record('counts/bad', 'good', 2),
    store.images.record({ ...image, manifests: [bad] }),
    record('counts/bad', 'also-good', 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const found = await store.images.tagNames('counts/bad');
  expect(found.map(({ tag }) => tag)).toEqual(['also-good', 'first', 'good']);
});

it('a record within an audit scope is committed with the event of its own request', async () => {
  const scopes = ['one', 'two'].map((name) => {
    const event = sampleEvent({ id: randomUUID(), event: name });
    return { event, scope: store.outbox.scope(() => event) };
  });
  await Promise.all([
    record('counts/scoped', 'plain', 0),
    ...scopes.map(({ scope }, n) => scope.run(() => record('counts/scoped', `s${n}`, n))),
  ]);
  const { rows } = await sql.query('SELECT id FROM audit_outbox ORDER BY seq');
  expect(rows.map(({ id }) => id).sort()).toEqual(scopes.map(({ event }) => event.id).sort());
});
