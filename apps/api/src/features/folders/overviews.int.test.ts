/** The page of a folder, on real services: what each account may read of it. */
import type { Push } from '@portcullis/domain';
import { json, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport } from '../../registry/gate/report.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let stranger: Client;
let digest: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('stranger');
  const annId = await api.account('ann');
  await api.grant(annId, 'team', { canPull: true });
  const bobId = await api.account('bob');
  const { folderId } = await api.grant(bobId, 'team', { canPull: true, canPush: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  const policy = await api.store.policies.insertPolicy({
    ...{ name: 'strict', savedBy: 'root' },
    rules: {
      rules: [
        {
          ...{ severities: ['CRITICAL'], fixable: 'any', kev: 'any', minEpss: null },
          ...{ minAgeDays: null, packageTypes: 'all', action: 'block' },
        },
      ],
      ...{ unscannable: 'block', onError: 'block', artifacts: 'allow' },
      ...{
        thirdParty: 'partial',
        maxDatabaseAgeDays: null,
        graceDays: 0,
        minAgeHours: 0,
        unlessFixes: 'none',
        signatures: [],
      },
    },
  });
  const settings = { description: 'ours', pullGate: 'enforce' as const, policyId: policy.id };
  await api.store.folders.update(folderId, settings);
  digest = await blocked('team/app');
  await blocked('secret/app');
  [admin, ann, stranger] = [await api.as('root'), await api.as('ann'), await api.as('stranger')];
});
afterAll(() => api?.stop());

/** An image whose standing was announced as blocked. */
async function blocked(repository: string): Promise<string> {
  const image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  await pushImage(api.registry.url, repository, '1', image);
  const manifest = {
    ...{ digest: image.digest, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
    ...{ artifactType: null, subject: null, size: 100, platforms: ['linux/amd64'], contents: [] },
  };
  const place = { repository, tag: '1', digest: image.digest, at: new Date() };
  await api.store.images.record({ ...place, manifests: [manifest] });
  const report = blockedReport();
  await api.store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
  const run = await api.store.standings.claim();
  if (!run) throw new Error('another worker judges');
  const row = {
    ...{ repository, digest: image.digest, folder: 'team', policy: 'default', mark: 'm' },
    ...{ policyVersion: '1', policyDigest: 'd', waivers: [] },
    ...{ passes: false, verdict: 'blocked' as const, code: 'VULN_BLOCKED', isChanged: true },
    ...{
      blocking: ['CVE-2026-1234'],
      waived: false,
      validUntil: null,
      reportAt: null,
      databaseAt: null,
    },
    graceUntil: null,
  };
  await api.store.standings.save(run, { rows: [row], records: [], events: [] }, async () => []);
  await api.store.standings.release(run);
  return image.digest;
}

async function waived(folder: string | null): Promise<void> {
  const owner = await api.store.users.findByUsername('root');
  const { id, updatedAt } = await api.store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-9', package: null, packageVersion: null, repository: null },
    ...{ digest: null, folder, status: 'accepted', justification: null, reason: 'r' },
    ...{ ticket: null, vexDocument: null, requestedById: owner?.id ?? '' },
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  await api.store.waivers.save({
    ...{ id, updatedAt, state: 'approved', approvals: [], closed: null },
  });
}

describe('the overview of a folder', () => {
  it('has its images by standing, its gate, and what the caller may do', async () => {
    await waived('team');
    await waived(null);
    await waived('secret');
    expect(await json(ann.get('/api/folders/team/overview'))).toMatchObject({
      ...{ name: 'team', description: 'ours', pull_gate: 'enforce', policy_name: 'strict' },
      images: { blocked: 1, findings: 0, unscanned: 0, clean: 0, artifact: 0 },
      rights: { can_pull: true, can_push: false },
      waivers: { folder: 1, everywhere: 1 },
      ...{ repositories: 1, tags: 1, bytes: 100, owners: ['bob'] },
    });
  });

  it('names what happened last: pushes, changes of standings and waivers', async () => {
    const { activity } = await json(ann.get('/api/folders/team/overview'));
    const kinds: string[] = activity.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(
      new Set(['pushed', 'blocked', 'waiver_requested', 'waiver_approved']),
    );
    expect(activity.find(({ kind }: { kind: string }) => kind === 'blocked')).toMatchObject({
      ...{ repository: 'team/app', tag: '1', digest, vulnerability: null },
    });
  });

  it('names the members of groups to administrators alone', async () => {
    const groupsFor = async (client: Client) =>
      (await json(client.get('/api/folders/team/overview'))).groups;
    expect(await groupsFor(ann)).toBeNull();
    const members = (await groupsFor(admin)).flatMap(
      (group: { members: string[] }) => group.members,
    );
    expect(members.toSorted()).toEqual(['ann', 'bob']);
  });

  it.each(['overview', 'images', 'trend'])(
    'and its %s are unknown to accounts that may not pull',
    async (of) => {
      expect(await codeOf(ann.get(`/api/folders/secret/${of}`))).toEqual([404, 'FOLDER_UNKNOWN']);
      expect(await codeOf(stranger.get(`/api/folders/team/${of}`))).toEqual([
        404,
        'FOLDER_UNKNOWN',
      ]);
      expect(await codeOf(admin.get(`/api/folders/nowhere/${of}`))).toEqual([
        404,
        'FOLDER_UNKNOWN',
      ]);
      expect((await admin.get(`/api/folders/secret/${of}`)).status).toBe(200);
    },
  );
});

describe('the images of a folder', () => {
  it('are read by accounts that may pull, with the findings that block them', async () => {
    const page = await json(ann.get('/api/folders/team/images?standing=blocked&q=APP'));
    expect(page).toMatchObject({ total: 1, page: 1, page_size: 50, total_pages: 1 });
    expect(page.items).toMatchObject([
      {
        ...{ repository: 'team/app', digest, tags: ['1'], standing: 'blocked' },
        ...{ code: 'VULN_BLOCKED', blocking: ['CVE-2026-1234'], blocking_total: 1 },
        counts: { CRITICAL: 1, HIGH: 0 },
      },
    ]);
    expect(await json(ann.get('/api/folders/team/images?standing=clean'))).toMatchObject({
      ...{ items: [], total: 0, total_pages: 0 },
    });
  });
});

describe('the list of folders', () => {
  const names = async (client: Client) =>
    (await json(client.get('/api/folders/overview'))).map(({ name }: { name: string }) => name);

  it('has those that the caller may pull from', async () => {
    expect(await names(ann)).toEqual(['team']);
    expect(await names(stranger)).toEqual([]);
    expect(await names(admin)).toEqual(['secret', 'team', '__root__']);
  });

  it('says how many images of each are blocked, and what the caller may do', async () => {
    expect(await json(ann.get('/api/folders/overview'))).toMatchObject([
      { name: 'team', images: { blocked: 1 }, rights: { can_pull: true, can_push: false } },
    ]);
  });
});

describe('the activity, where a privilege let an image through', () => {
  it('says who did', async () => {
    const bob = await api.store.users.findByUsername('bob');
    const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
    const { id } = await api.store.jobs.insert({
      ...{ ownerId: bob?.id ?? '', image: 'app', tag: '1', source },
    });
    const push: Push = {
      ...{ id: 'p', status: 'done', kind: 'local', registryId: null, host: 'local' },
      ...{ repository: 'team/app', tag: '1', digest, error: null, bypassed: 'VULN_BLOCKED' },
      ...{ bytesDone: 1, bytesTotal: 1, bytesMounted: 0, bypass: { allowed: true, reason: 'r' } },
      ...{ requestedById: bob?.id ?? '', requestedBy: 'bob' },
      ...{ createdAt: new Date(), finishedAt: new Date() },
    };
    await api.store.jobs.update(id, (job) => ({
      ...job,
      ...{ status: 'pushed' as const, digest, pushes: [push] },
    }));
    const { activity } = await json(ann.get('/api/folders/team/overview'));
    expect(activity).toContainEqual(
      expect.objectContaining({ kind: 'bypassed', repository: 'team/app', tag: '1', by: 'bob' }),
    );
    expect(activity).not.toContainEqual(expect.objectContaining({ kind: 'pushed' }));
  });

  it('does not say it of a later push of the same image', async () => {
    const later = new Date(Date.now() + 3_600_000);
    await api.store.images.record({
      ...{ repository: 'team/app', tag: '2', digest, at: later, manifests: [] },
    });
    const { activity } = await json(ann.get('/api/folders/team/overview'));
    expect(activity).toContainEqual(expect.objectContaining({ kind: 'pushed', tag: '2' }));
    expect(activity).not.toContainEqual(expect.objectContaining({ kind: 'bypassed' }));
  });
});
