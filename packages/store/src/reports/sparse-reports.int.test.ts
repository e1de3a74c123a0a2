/** Reports of an index of which repositories have different manifests, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanReport } from '../../../../apps/api/src/registry/gate/report.fixture.ts';
import { openStore } from '../index.ts';
import type { Store } from '../port.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const digest = () => `sha256:${randomUUID().replaceAll('-', '').padEnd(64, '0')}`;
const [OLD, NEW] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
const NOW = { dbUpdatedAt: new Date(OLD), javaSince: null };

function reportWith(dbUpdatedAt: string) {
  const report = cleanReport();
  return { ...report, scanner: { ...report.scanner, dbUpdatedAt } };
}

/** An index of three platforms, of which a repository has these. */
async function has(repository: string, index: string, listed: string[], here: string[]) {
  const facts = { artifactType: null, subject: null, size: 1, platforms: ['linux/amd64'] };
  const contents = listed.map((each) => ({
    ...{ digest: each, isManifest: true },
    size: here.includes(each) ? 1 : 0,
  }));
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  await store.images.record({
    ...{ repository, tag: '1', digest: index },
    manifests: [
      ...here.map((each) => ({
        ...{ ...facts, digest: each, contents: [] },
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
      })),
      { ...facts, digest: index, mediaType, contents },
    ],
  });
}

async function scanned(
  index: string,
  parts: string[],
  { covers = 'whole', db = OLD }: { covers?: 'whole' | 'excerpt' | 'images'; db?: string } = {},
) {
  const report = reportWith(db);
  const below = parts.map((each) => ({ digest: each, report }));
  await store.reports.record({ digest: index, report, scannedAt: new Date() }, below, { covers });
}

const dateOf = async (of: string) =>
  (await store.reports.find(of))?.report.scanner.dbUpdatedAt ?? null;

describe('the report of an index', () => {
  it('of what one job brought in replaces none of more, and the parts have their own', async () => {
    const [index, one, two] = [digest(), digest(), digest()];
    await scanned(index, [one, two]);
    await scanned(index, [one], { covers: 'excerpt', db: NEW });
    expect([await dateOf(index), await dateOf(one)]).toEqual([OLD, NEW]);
    await scanned(index, [one], { db: NEW });
    expect(await dateOf(index)).toBe(NEW);
  });

  it('is made again where some repository has a manifest that it does not cover', async () => {
    const [index, one, two] = [digest(), digest(), digest()];
    await has('mirror/some', index, [one, two], [one]);
    await scanned(index, [one]);
    expect(await store.rescans.claim(NOW)).toBeNull();
    await has('team/whole', index, [one, two], [one, two]);
    await scanned(two, []);
    const claimed = await store.rescans.claim(NOW);
    expect(claimed?.digest).toBe(index);
    expect((await store.images.holders(index)).toSorted()).toEqual(['mirror/some', 'team/whole']);
    await scanned(index, [one, two]);
    if (claimed) await store.rescans.finish(claimed);
    // A re-match knows of images alone, and leaves what the scan covered.
    await scanned(index, [one], { covers: 'images', db: OLD });
    expect(await store.rescans.claim(NOW)).toBeNull();
  });

  it('confirms the reports of the manifests that it covers, and of no other that is listed', async () => {
    const [index, one, absent, other] = [digest(), digest(), digest(), digest()];
    await has('mirror/listed', index, [one, absent, other], [one, other]);
    for (const each of [absent, other]) await scanned(each, []);
    await scanned(index, [one]);
    await store.reports.confirm([index], OLD, NEW);
    expect(await Promise.all([index, one, absent, other].map(dateOf))).toEqual([
      NEW,
      NEW,
      OLD,
      OLD,
    ]);
  });

  it('lets no account read a report because an index lists its digest', async () => {
    const [index, here, listed] = [digest(), digest(), digest()];
    await store.folders.insertFolder({ name: 'mirror' });
    await has('mirror/read', index, [here, listed], [here]);
    const folders = ['mirror'];
    const readable = await store.images.readable([index, here, listed], {
      ...{ ownerId: randomUUID(), folders },
    });
    expect(readable).toEqual(new Set([index, here]));
  });
});
