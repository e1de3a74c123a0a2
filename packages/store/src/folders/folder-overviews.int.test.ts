/** What a folder holds, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { FOLDER_IMAGE_ORDERS, type FolderImageOrder } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanReport, reportWith } from '../../../../apps/api/src/registry/gate/report.fixture.ts';
import { type JudgedImageRow, type ManifestFacts, openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let teamId: string;
const soon = new Date(Date.now() + 3_600_000);
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  await store.folders.ensureRoot();
  teamId = (await store.folders.insertFolder({ name: 'team', description: 'ours' })).id;
  await store.folders.insertFolder({ name: 'other' });
  await store.folders.insertFolder({ name: 'empty' });
  const shared = { 'sha256:shared': 500 };
  await image('team/clean', { at: at(1), blobs: { ...shared, 'sha256:a': 1 } });
  await image('team/findings', { at: at(2), high: 1, passes: true, verdict: 'findings' });
  await image('team/bad', { at: at(3), critical: 1, passes: false, blobs: shared });
  await image('team/worse', { at: at(4), critical: 2, passes: false, graceUntil: soon });
  await image('team/new', { at: at(5), isJudged: false });
  await image('team/chart', { at: at(6), isArtifact: true, isJudged: false });
  await image('other/bad', { at: at(7), critical: 9, passes: false, blobs: shared });
  await image('stray', { at: at(8), passes: true, verdict: 'clean' });
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

interface Wanted {
  at: Date;
  blobs?: Record<string, number>;
  critical?: number;
  high?: number;
  isArtifact?: boolean;
  /** Whether it has a report and a standing. */
  isJudged?: boolean;
  passes?: boolean;
  verdict?: 'clean' | 'findings';
  graceUntil?: Date;
}

async function image(repository: string, wanted: Wanted): Promise<void> {
  const { blobs = {}, isArtifact = false, isJudged = true, passes = true } = wanted;
  const digest = `sha256:${randomUUID().replaceAll('-', '').padEnd(64, '0')}`;
  const manifest: ManifestFacts = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', subject: null, size: 10 },
    artifactType: isArtifact ? 'application/vnd.cncf.helm.config.v1+json' : null,
    platforms: isArtifact ? [] : ['linux/amd64'],
    contents: Object.entries(blobs).map(([each, size]) => ({
      ...{ digest: each, size, isManifest: false },
    })),
  };
  await store.images.record({ repository, tag: '1', digest, manifests: [manifest], at: wanted.at });
  if (!isJudged) return;
  const { critical = 0, high = 0 } = wanted;
  const found = [...severities('CRITICAL', critical), ...severities('HIGH', high)];
  const report = found.length === 0 ? cleanReport() : reportWith(found);
  await store.reports.record({ digest, report, scannedAt: at(0) });
  const blocking = passes ? [] : found.map(({ id }) => id);
  const verdict = wanted.verdict ?? (passes ? 'clean' : 'blocked');
  const code = passes ? null : 'VULN_BLOCKED';
  const row: JudgedImageRow = {
    ...{ repository, digest, folder: 'team', policy: 'default', passes, verdict, code, blocking },
    ...{ policyVersion: '1', policyDigest: 'd', waivers: [] },
    ...{ mark: 'm', waived: false, validUntil: null, reportAt: at(0), databaseAt: null },
    ...{ graceUntil: wanted.graceUntil ?? null, isChanged: !passes },
  };
  const run = await store.standings.claim();
  if (!run) throw new Error('another worker judges');
  await store.standings.save(run, { rows: [row], records: [], events: [] }, async () => []);
  await store.standings.release(run);
}

function severities(severity: 'CRITICAL' | 'HIGH', n: number) {
  return Array.from({ length: n }, (_, nth) => ({ id: `CVE-2026-${severity}-${nth}`, severity }));
}

describe('the figures of folders', () => {
  it('count each tagged image in one group, and say how many blocked ones are still served', async () => {
    expect(await store.folderOverviews.figures(['team'])).toEqual([
      {
        ...{ id: teamId, name: 'team', description: 'ours', repositories: 6, tags: 6 },
        images: { blocked: 2, findings: 1, unscanned: 1, clean: 1, artifact: 1 },
        ...{ inGrace: 1, updatedAt: at(6) },
      },
    ]);
  });

  it('cover the empty folders and, last, the repositories in no folder', async () => {
    const all = await store.folderOverviews.figures('all');
    expect(all.map(({ name, tags }) => [name, tags])).toEqual([
      ['empty', 0],
      ['other', 1],
      ['team', 6],
      ['__root__', 1],
    ]);
  });

  it('are of no folder that was not asked for', async () => {
    expect(await store.folderOverviews.figures([])).toEqual([]);
  });

  it('size counts a blob of two repositories once, and the manifests', async () => {
    expect(await store.folderOverviews.bytes('team')).toBe(500 + 1 + 6 * 10);
    expect(await store.folderOverviews.bytes('empty')).toBe(0);
  });

  it('size has a bound that counts shared blobs several times, and a counter of additions', async () => {
    const before = await store.folderContents.bound('team');
    expect(before).toMatchObject({ bytes: 2 * 500 + 1 + 6 * 10, added: 2n * 500n + 1n + 6n * 10n });
    expect(await store.folderContents.bound('empty')).toMatchObject({ bytes: 0, added: 0n });
    await image('other/growing', { at: at(8), blobs: { 'sha256:b': 7 }, isJudged: false });
    const small = await store.folderContents.bound('other');
    await image('other/growing', { at: at(9), blobs: { 'sha256:c': 5 }, isJudged: false });
    const moved = await store.folderContents.bound('other');
    expect(moved.bytes).toBe(small.bytes - 2);
    expect(moved.added - small.added).toBe(15n);
    expect([moved.members, moved.mark === small.mark]).toEqual([small.members, false]);
    await store.images.removeTag('other/growing', '1');
    const removed = await store.folderContents.bound('other');
    expect(removed.members).not.toBe(moved.members);
    await image('other/growing', { at: at(10), blobs: { 'sha256:b': 7 }, isJudged: false });
    const anew = await store.folderContents.bound('other');
    // Its counter began anew, so that its growth since then is not known.
    expect(anew.added).toBeLessThan(moved.added);
    expect([removed.members, moved.members]).not.toContain(anew.members);
    await store.images.removeTag('other/growing', '1');
    expect(await store.folderContents.bound('team')).toEqual(before);
  });

  it('of a blob is corrected where a manifest states another one', async () => {
    await image('empty/lying', { at: at(8), blobs: { 'sha256:d': 1 }, isJudged: false });
    expect(await store.folderContents.statedSize('empty/lying', 'sha256:d')).toBe(1);
    expect(await store.folderContents.statedSize('empty/lying', 'sha256:x')).toBeNull();
    await store.folderContents.correctSize('empty/lying', 'sha256:d', 90);
    expect(await store.folderContents.used('empty')).toBe(100);
    expect(await store.folderContents.bound('empty')).toMatchObject({ bytes: 100, added: 101n });
    await store.images.removeTag('empty/lying', '1');
    expect(await store.folderContents.used('empty')).toBe(0);
  });
});

const URGENT = ['worse', 'bad', 'findings', 'new', 'clean', 'chart'];
const BY_NAME = ['bad', 'chart', 'clean', 'findings', 'new', 'worse'];
const ORDERED: Record<FolderImageOrder, string[]> = {
  urgency: URGENT,
  '-urgency': URGENT.toReversed(),
  repository: BY_NAME,
  '-repository': BY_NAME.toReversed(),
  // Those without a report are last.
  findings: ['clean', 'findings', 'bad', 'worse', 'new', 'chart'],
  '-findings': ['worse', 'bad', 'findings', 'clean', 'new', 'chart'],
  size: ['worse', 'findings', 'new', 'chart', 'bad', 'clean'],
  '-size': ['clean', 'bad', 'worse', 'findings', 'new', 'chart'],
};

describe('the images of a folder', () => {
  const names = async (filter: object = {}) => {
    const asked = { folder: 'team', page: 1, pageSize: 50, ...filter };
    const { items, total } = await store.folderOverviews.images(asked);
    return [total, ...items.map(({ repository }) => repository.slice('team/'.length))];
  };

  it('are listed by urgency: blocked ones with the most severe findings first', async () => {
    expect(await names()).toEqual([6, 'worse', 'bad', 'findings', 'new', 'clean', 'chart']);
  });

  it.each(FOLDER_IMAGE_ORDERS)('are sorted by %s, on each of their pages', async (sort) => {
    const [, ...sorted] = await names({ sort });
    const pages = [1, 2, 3].map((page) => names({ sort, page, pageSize: 2 }));
    expect((await Promise.all(pages)).flatMap(([, ...page]) => page)).toEqual(sorted);
    expect(sorted).toEqual(ORDERED[sort]);
  });

  it('are found by standing, by a part of the name and by a tag', async () => {
    expect(await names({ standing: 'blocked' })).toEqual([2, 'worse', 'bad']);
    expect(await names({ q: 'ARt' })).toEqual([1, 'chart']);
    expect(await names({ q: '%' })).toEqual([0]);
    expect((await names({ q: '1' }))[0]).toBe(6);
  });

  it.each([
    ['chart:1', [1, 'chart']],
    ['registry.example/team/chart:1', [1, 'chart']],
    ['team/ chart', [1, 'chart']],
    ['chart:2', [0]],
    ['chart worse', [0]],
  ])('are found by what people paste: %s', async (q, found) => {
    expect(await names({ q })).toEqual(found);
  });

  it('are paged, and a page after the last one has the total', async () => {
    expect(await names({ page: 2, pageSize: 4 })).toEqual([6, 'clean', 'chart']);
    expect(await names({ page: 3, pageSize: 4 })).toEqual([6]);
  });

  it('have the findings that block them, and until when they are served', async () => {
    const asked = { folder: 'team', page: 1, pageSize: 1 };
    const { items } = await store.folderOverviews.images(asked);
    expect(items[0]).toMatchObject({
      ...{ standing: 'blocked', code: 'VULN_BLOCKED', graceUntil: soon, tags: ['1'], tagCount: 1 },
      counts: { CRITICAL: 2, HIGH: 0 },
      blocking: ['CVE-2026-CRITICAL-0', 'CVE-2026-CRITICAL-1'],
      ...{ blockingTotal: 2, size: 10, scannedAt: at(0), pushedAt: at(4) },
    });
  });
});

it('the activity of a folder has its pushes, changes of standings and waivers, newest first', async () => {
  const requestedById = (
    await store.users.insert({ username: 'ann', passwordHash: null, isAdmin: true })
  ).id;
  const waiver = await store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, repository: null },
    ...{ digest: null, folder: 'team', status: 'accepted', justification: null },
    ...{ reason: 'r', ticket: null, vexDocument: null, requestedById, expiresAt: soon },
  });
  await store.waivers.save({
    ...{ id: waiver.id, updatedAt: waiver.updatedAt, state: 'revoked', approvals: [] },
    closed: { by: 'bob', at: new Date(Date.now() + 1_000), reason: null },
  });
  const events = await store.folderOverviews.activity({ id: teamId, name: 'team' }, 6);
  expect(events.slice(0, 2)).toMatchObject([
    { kind: 'waiver_revoked', vulnerability: 'CVE-2026-1', waiverId: waiver.id, by: 'bob' },
    { kind: 'waiver_requested', by: 'ann', repository: null },
  ]);
  expect(events.slice(2).map(({ kind, repository, tag }) => [kind, repository, tag])).toEqual([
    ['blocked', 'team/worse', '1'],
    ['blocked', 'team/bad', '1'],
    ['pushed', 'team/chart', '1'],
    ['pushed', 'team/new', '1'],
  ]);
});

it('the groups of a folder have their permissions and their enabled members', async () => {
  const group = await store.groups.insertGroup({ name: 'developers' });
  const make = (username: string) => store.users.insert({ username, passwordHash: null });
  for (const name of ['zoe', 'carl', 'gone'])
    await store.groups.addMember(group.id, (await make(name)).id);
  const gone = await store.users.findByUsername('gone');
  await store.users.update(gone?.id ?? '', { disabled: true });
  const nobody = await store.groups.insertGroup({ name: 'nobody' });
  await store.folders.grant(teamId, group.id, { canPull: true, canPush: true });
  await store.folders.grant(teamId, nobody.id, { canPull: true });
  const flags = { canPull: true, canPullExternal: false, canPushExternal: false };
  expect(await store.folderOverviews.groups(teamId)).toEqual([
    {
      ...{ groupId: group.id, groupName: 'developers', ...flags, canPush: true },
      ...{ members: ['carl', 'zoe'], memberCount: 2 },
    },
    {
      ...{ groupId: nobody.id, groupName: 'nobody', ...flags, canPush: false },
      ...{ members: [], memberCount: 0 },
    },
  ]);
});
