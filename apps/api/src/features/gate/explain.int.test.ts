/** The explanation of what a door decides, with the real registry, database and Redis. */
import type { ScanReport } from '@portcullis/domain';
import { publishReports } from '@portcullis/events';
import { json, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from '../../registry/gate/report.fixture.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('trusted', { canBypassVulnBlock: true });
  await api.account('stranger');
  const ids = [await api.account('ann'), (await api.store.users.findByUsername('trusted'))?.id];
  for (const id of ids) {
    await api.grant(id ?? '', 'open', { canPull: true, canPush: true });
    const { folderId } = await api.grant(id ?? '', 'prod', { canPull: true });
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

async function asked(by: string, query: Record<string, string>) {
  const words = new URLSearchParams({ reference: '1', ...query });
  const reply = await (await api.as(by)).get(`/api/gate/explain?${words}`);
  return { status: reply.status, body: await reply.json() };
}

describe('the standing of an image', () => {
  const standing = async (by: string, repository: string, reference = '1') =>
    (await api.as(by)).get(
      `/api/images/__local__/standing?repository=${repository}&reference=${reference}`,
    );

  it.each<[string, keyof typeof reports, string, object]>([
    ['prod', 'clean', 'ann', { outcome: 'served', because: 'passes', verdict: 'clean' }],
    ['prod', 'blocked', 'ann', { outcome: 'refused', code: 'VULN_BLOCKED', verdict: 'blocked' }],
    ['prod', 'blocked', 'trusted', { outcome: 'served', because: 'bypass', bypasses: true }],
    ['prod', 'unknown', 'ann', { outcome: 'held', code: 'PENDING', report: null }],
    ['open', 'blocked', 'ann', { outcome: 'served', because: 'mode', mode: 'off' }],
  ])('in %s of a %s image for %s is what the door decides', async (folder, state, by, expected) => {
    const { repository, digest } = await imageIn(folder, reports[state]);
    const reply = await standing(by, repository);
    expect(await json(reply)).toMatchObject({ ...expected, digest, requested_digest: digest });
  });

  it('names the finding, the rule and the policy', async () => {
    const { repository } = await imageIn('prod', reports.blocked);
    expect(await json(standing('ann', repository))).toMatchObject({
      policy: { name: 'default', rules: [{ position: 0, severities: ['CRITICAL', 'HIGH'] }] },
      report: { scanner: 'trivy' },
      blocking: [{ vulnerability: 'CVE-2026-1234', package: 'openssl', rule: 0, waivers: [] }],
    });
  });

  it('is not for an image that is not there', async () => {
    const { repository } = await imageIn('prod', reports.clean);
    expect((await standing('ann', repository, 'none')).status).toBe(404);
  });
});

describe('the explanation of a door', () => {
  it.each<[string, string, object]>([
    ['pull', 'ann', { outcome: 'refused', code: 'VULN_BLOCKED', mode: 'enforce' }],
    ['push', 'trusted', { outcome: 'refused', code: 'FOLDER_FORBIDDEN', mode: 'report' }],
    ['push', 'root', { outcome: 'served', because: 'mode', mode: 'report' }],
    ['copy_from', 'ann', { outcome: 'refused', code: 'VULN_BLOCKED' }],
    ['copy_from', 'trusted', { outcome: 'served', because: 'bypass' }],
    ['copy_to', 'root', { outcome: 'served', because: 'bypass' }],
    ['pull', 'stranger', { outcome: 'refused', code: 'FOLDER_FORBIDDEN' }],
  ])('%s for %s is told to an administrator', async (door, account, expected) => {
    const { repository } = await imageIn('prod', reports.blocked);
    const { status, body } = await asked('root', { repository, door, account });
    expect([status, body]).toMatchObject([200, { ...expected, door }]);
  });

  it('decides about an image of another repository before it is copied', async () => {
    const { repository: from } = await imageIn('open', reports.blocked);
    const question = { repository: 'prod/new', door: 'copy_to', from, account: 'ann' };
    expect((await asked('root', question)).body).toMatchObject({
      folder: 'prod',
      repository: 'prod/new',
      blocking_total: 1,
    });
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['another account', 'ann', { account: 'trusted' }, 403, 'ADMIN_ONLY'],
    ['a folder without the right to read', 'stranger', {}, 403, 'FOLDER_FORBIDDEN'],
    ['an image in such a folder', 'ann', { from: 'secret/app' }, 403, 'FOLDER_FORBIDDEN'],
    ['an unknown account', 'root', { account: 'nemo' }, 404, 'USER_UNKNOWN'],
    ['a missing image', 'ann', { reference: 'none' }, 404, 'IMAGE_UNKNOWN'],
    ['an unknown door', 'ann', { door: 'window' }, 422, 'VALIDATION_FAILED'],
  ])('of %s by %s is refused', async (_, by, more, status, code) => {
    const { repository } = await imageIn('prod', reports.clean);
    const reply = await asked(by, { repository, ...more });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('shows what an account itself sees under its own name', async () => {
    const { repository } = await imageIn('prod', reports.clean);
    expect((await asked('ann', { repository, account: 'ann' })).status).toBe(200);
  });

  it('begins no grace period', async () => {
    const { repository, digest } = await imageIn('prod', reports.clean);
    expect((await asked('ann', { repository })).body).toMatchObject({ outcome: 'served' });
    expect(await api.store.passRecords.find('prod', digest)).toBeNull();
  });
});
