/** Which tags of mirrors are due: all processes together ask each registry so often. */
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

const DIGEST = `sha256:${'a'.repeat(64)}`;
const TERMS = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 };

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  const host = 'registry.example.com';
  const { id } = await store.registries.insert({ name: host, host, ownerId: null });
  for (const name of ['one', 'two'])
    await store.folders.insertFolder({ name, mirror: { registryId: id, ...TERMS } });
  await store.folders.insertFolder({ name: 'hub', mirror: { registryId: null, ...TERMS } });
});
beforeEach(() => sql.query('DELETE FROM mirror_tags'));
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

/** So many tags that are due, the first one for the longest time. */
async function dueTags(folder: string, count: number): Promise<void> {
  for (let nth = 1; nth <= count; nth += 1) {
    const place = [`${folder}/app`, String(nth)];
    await tagHere(`${folder}/app`, String(nth));
    await sql.query(
      `INSERT INTO mirror_tags (repository, reference, upstream_digest, due_at)
       VALUES ($1, $2, $3, now() - interval '1 hour' + $4 * interval '1 second')`,
      [...place, DIGEST, nth],
    );
  }
}

function tagHere(repository: string, tag: string): Promise<unknown> {
  const manifest = {
    ...{ digest: DIGEST, mediaType: 'application/vnd.oci.image.manifest.v1+json', size: 1 },
    ...{ artifactType: null, platforms: ['linux/amd64'], contents: [], subject: null },
  };
  const at = new Date();
  return store.images.record({ repository, tag, digest: DIGEST, manifests: [manifest], at });
}

async function due(perMinute: number): Promise<string[]> {
  const claimed = await store.mirrors.claimDue(perMinute, 180);
  return claimed.map(({ folder, reference }) => `${folder}:${reference}`);
}

function answered(folder: string, reference: string): Promise<void> {
  const answer = { answer: { digest: DIGEST }, isTag: true, dueSeconds: 3_600 };
  return store.mirrors.answered({ repository: `${folder}/app`, reference }, answer);
}

it('of each registry there are so many, the longest due first, whatever its mirrors are', async () => {
  await dueTags('one', 3);
  await dueTags('two', 3);
  await dueTags('hub', 1);
  expect((await due(2)).sort()).toEqual(['hub:1', 'one:1', 'two:1']);
  expect(await due(10)).toHaveLength(4);
  expect(await due(10)).toEqual([]);
});

it('what any process took in this minute counts, and what was asked before does not', async () => {
  await dueTags('one', 5);
  await answered('one', '1');
  expect(await due(2)).toEqual(['one:2']);
  expect(await due(3)).toEqual(['one:3']);
  expect(await due(2)).toEqual([]);
  await sql.query(`UPDATE mirror_tags SET checked_at = now() - interval '2 minutes'`);
  expect(await due(3)).toEqual(['one:4', 'one:5']);
});

it('of two rounds at once one gets each tag, with what is known of it', async () => {
  await dueTags('one', 5);
  const rounds = await Promise.all([
    store.mirrors.claimDue(5, 180),
    store.mirrors.claimDue(5, 180),
  ]);
  const claimed = rounds.flat();
  expect(claimed.map(({ reference }) => reference).sort()).toEqual(['1', '2', '3', '4', '5']);
  const tag = { upstreamDigest: DIGEST, isDue: true };
  for (const { known } of claimed) expect(known).toMatchObject({ here: DIGEST, tag, job: null });
});

it('what answers as before is due again, unless another answer was kept meanwhile', async () => {
  await dueTags('one', 3);
  const place = { repository: 'one/app', digest: DIGEST, dueSeconds: 3_600 };
  await store.mirrors.claimDue(3, 0);
  await store.mirrors.confirmed(['1', '3'].map((reference) => ({ ...place, reference })));
  const other = { ...place, reference: '2', digest: `sha256:${'b'.repeat(64)}` };
  await store.mirrors.confirmed([other]);
  expect(await due(9)).toEqual(['one:2']);
  const seen = { repository: 'one/app', tag: '1', digest: DIGEST };
  expect(await store.sightings.find(seen)).toMatchObject({ first: expect.any(Date) });
});

describe('a change of the folder', () => {
  const minutes = (checkMinutes: number, more = {}) => ({
    mirror: { registryId: null, ...TERMS, checkMinutes, ...more },
  });
  const change = async (settings: Parameters<Store['folders']['update']>[1]) =>
    store.folders.update((await store.folders.get('hub')).id, settings);
  /** Two tags that a check of five minutes ago put off for so long. */
  async function putOff(interval: string): Promise<void> {
    await dueTags('hub', 1);
    await dueTags('one', 1);
    await sql.query(
      `UPDATE mirror_tags SET checked_at = now() - interval '5 minutes',
                              due_at = now() + $1::interval`,
      [interval],
    );
  }

  it.each<[string, Parameters<Store['folders']['update']>[1], string[]]>([
    ['that asks each minute makes them due', minutes(1), ['hub:1']],
    ['that asks each day does not', minutes(1_440), []],
    ['to another upstream does', minutes(1_440, { prefix: 'org' }), ['hub:1']],
    ['of its description does not', { description: 'other' }, []],
  ])('%s', async (_, settings, expected) => {
    await change(minutes(1_440, { prefix: '' }));
    await putOff('1 day');
    await change(settings);
    expect(await due(9)).toEqual(expected);
  });

  it('to tags that may move looks again at those that were put off', async () => {
    await change({ ...minutes(1), immutableTags: ['*'] });
    await putOff('7 days');
    await change({ immutableTags: [] });
    expect(await due(9)).toEqual(['hub:1']);
  });

  it('that asks less often leaves the next check where it is', async () => {
    await change(minutes(1));
    await putOff('-1 second');
    await change(minutes(1_440));
    expect(await due(9)).toHaveLength(2);
  });
});
