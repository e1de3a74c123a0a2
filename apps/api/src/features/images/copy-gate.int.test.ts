/** Retag and copy as doors: out of and into folders that enforce the pull gate. */
import type { ScanReport } from '@portcullis/domain';
import { publishReports } from '@portcullis/events';
import { fetchManifest, json, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { published, startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from '../../registry/gate/report.fixture.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('trusted', { canBypassVulnBlock: true });
  const ids = [await api.account('ann'), (await api.store.users.findByUsername('trusted'))?.id];
  for (const id of ids) {
    await api.grant(id ?? '', 'open', { canPull: true, canPush: true });
    const { folderId } = await api.grant(id ?? '', 'prod', { canPull: true, canPush: true });
    await api.store.folders.update(folderId, { pullGate: 'enforce' });
  }
});
afterAll(() => api?.stop());

const reports = { clean: cleanReport(), blocked: blockedReport(), unknown: null };
let count = 0;

async function imageIn(folder: string, report: ScanReport | null) {
  const image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  const repository = `${folder}/app${++count}`;
  await pushImage(api.registry.url, repository, '1', image);
  if (report) {
    await api.store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
    await publishReports(api.redis, [image.digest]);
  }
  return { repository, digest: image.digest };
}

async function copied(by: string, from: { repository: string }, to: string) {
  const client = await api.as(by);
  const reply = await client.post('/api/images/copy', {
    source_repository: from.repository,
    source_tag: '1',
    dest_repository: to,
  });
  return { status: reply.status, body: await reply.json() };
}

describe('a copy', () => {
  it.each<[string, keyof typeof reports, string, string, number, string | undefined]>([
    ['open', 'blocked', 'open', 'ann', 201, undefined],
    ['open', 'clean', 'prod', 'ann', 201, undefined],
    ['open', 'blocked', 'prod', 'ann', 403, 'VULN_BLOCKED'],
    ['open', 'unknown', 'prod', 'ann', 403, 'SCAN_REQUIRED'],
    ['open', 'blocked', 'prod', 'trusted', 201, undefined],
    ['prod', 'clean', 'open', 'ann', 201, undefined],
    ['prod', 'blocked', 'open', 'ann', 403, 'VULN_BLOCKED'],
    ['prod', 'unknown', 'open', 'ann', 403, 'SCAN_REQUIRED'],
    ['prod', 'blocked', 'open', 'trusted', 201, undefined],
  ])('from %s of a %s image to %s by %s is answered with %i', async (...row) => {
    const [from, state, to, by, status, code] = row;
    const image = await imageIn(from, reports[state]);
    const target = `${to}/copy${count}`;
    const reply = await copied(by, image, target);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    const there = await fetchManifest(api.registry.url, target, '1');
    expect(there.status).toBe(status === 201 ? 200 : 404);
  });

  it('says the reasons of the policy', async () => {
    const { body } = await copied('ann', await imageIn('open', reports.blocked), 'prod/why');
    expect(body.detail).toContain('CVE-2026-1234 in openssl 3.0.1, fixed in 3.0.2');
  });
});

it('a bypass is in the audit log with its decision', async () => {
  const image = await imageIn('prod', reports.blocked);
  await copied('trusted', image, 'open/taken');
  const path = `/api/images/__local__/tags?repository=${image.repository}`;
  await (await api.as('trusted')).post(path, { source_tag: '1', new_tag: '2' });
  const order = { source_registry_id: '__local__', image: image.repository, tag: '1' };
  await (await api.as('trusted')).post('/api/staging/pull', order);
  const bypassed = expect.objectContaining({ because: 'bypass', code: 'VULN_BLOCKED' });
  const details = async () =>
    (await published(api, 50)).map(({ event, detail }) => [event, detail]);
  for (const [event, noted] of [
    ['image.copy', { decisions: [bypassed] }],
    ['image.retag', { decisions: [bypassed] }],
    ['staging.pull', { decision: bypassed }],
  ])
    await expect.poll(details).toContainEqual([event, expect.objectContaining(noted)]);
  const letThrough = async () => {
    const found = await json(await (await api.as('root')).get('/api/system/audit?bypassed=true'));
    return found.map(({ event }: { event: string }) => event);
  };
  await expect.poll(letThrough).toEqual(expect.arrayContaining(['image.copy', 'image.retag']));
  expect(await letThrough()).not.toContain('staging.pull');
});

describe('a new tag', () => {
  it.each<[string, keyof typeof reports, string, number]>([
    ['prod', 'clean', 'ann', 201],
    ['prod', 'blocked', 'ann', 403],
    ['prod', 'blocked', 'trusted', 201],
    ['open', 'blocked', 'ann', 201],
  ])('in %s of a %s image by %s is answered with %i', async (folder, state, by, status) => {
    const { repository } = await imageIn(folder, reports[state]);
    const path = `/api/images/__local__/tags?repository=${repository}`;
    const reply = await (await api.as(by)).post(path, { source_tag: '1', new_tag: '2' });
    expect(reply.status).toBe(status);
    const there = await fetchManifest(api.registry.url, repository, '2');
    expect(there.status).toBe(status === 201 ? 200 : 404);
  });
});

describe('a staging pull from the built-in registry', () => {
  it.each<[string, keyof typeof reports, string, number, string | undefined]>([
    ['open', 'blocked', 'ann', 202, undefined],
    ['prod', 'clean', 'ann', 202, undefined],
    ['prod', 'blocked', 'ann', 403, 'VULN_BLOCKED'],
    ['prod', 'unknown', 'ann', 403, 'SCAN_REQUIRED'],
    ['prod', 'blocked', 'trusted', 202, undefined],
  ])('in %s of a %s image by %s is answered with %i', async (folder, state, by, status, code) => {
    const { repository: image } = await imageIn(folder, reports[state]);
    const order = { source_registry_id: '__local__', image, tag: '1' };
    const reply = await (await api.as(by)).post('/api/staging/pull', order);
    expect([reply.status, (await reply.json()).code]).toEqual([status, code]);
  });
});
