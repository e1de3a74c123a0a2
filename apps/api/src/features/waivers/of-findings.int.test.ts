/** Which waivers are shown with the findings of a job and of an image. */
import type { Waiver } from '@portcullis/contract';
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import { buildImage, json, pushImage } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

const OTHER = `sha256:${'f'.repeat(64)}`;
const report = sampleReport([
  { id: 'CVE-2026-1', package: 'openssl' },
  { id: 'CVE-2026-2', package: 'zlib' },
]);

let api: TestApi;
let clients: Record<'root' | 'dev' | 'eve', Client>;
let digest: string;
let job: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  const flags = { canPull: true, canPush: true, canPullExternal: true };
  await api.grant(await api.account('dev'), 'team', flags);
  await api.grant(await api.account('eve'), 'other', flags);
  const [root, dev, eve] = await Promise.all([api.as('root'), api.as('dev'), api.as('eve')]);
  clients = { root, dev, eve };
  const image = await buildImage({ layers: [{ a: '1' }] });
  await pushImage(api.registry.url, 'team/app', '1', image);
  digest = image.digest;
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  const pull = { source_registry_host: 'ghcr.io', image: 'team/app', tag: '1' };
  job = (await json(dev.post('/api/staging/pull', pull))).job_id;
  const { verdict, result } = judge(report, DEFAULT_POLICY, {
    vulnScanEnabled: null,
    vulnSeverities: null,
  });
  await api.store.jobs.update(job, (row) => ({
    ...stagedAs(verdict)(row),
    digest,
    vulnResult: result,
  }));
});
afterAll(() => api?.stop());

async function requested(name: keyof typeof clients, change: object): Promise<string> {
  const body = {
    ...{ vulnerability: 'CVE-2026-1', folder: 'team', status: 'accepted' },
    ...change,
    reason: JSON.stringify(change),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  };
  return (await json(clients[name].post('/api/waivers', body))).id;
}

const OF_IMAGE = 'repository=team/app&reference=1';
const found = async (name: keyof typeof clients, query: string): Promise<string[]> =>
  (await json(clients[name].get(`/api/waivers/findings?${query}`))).map(({ id }: Waiver) => id);

describe('the waivers of findings', () => {
  it.each([
    ['for the vulnerability', {}, true, true],
    ['for the package', { package: 'openssl' }, true, true],
    ['for another package', { package: 'zlib' }, false, false],
    ['for this digest', { digest: 'this' }, true, true],
    ['for another digest', { digest: OTHER }, false, false],
    ['for another vulnerability', { vulnerability: 'CVE-2026-3' }, false, false],
    ['for a pattern of the repository', { repository: '*/app' }, true, true],
    [
      'for another repository, which a job may still be pushed to',
      { repository: 'team/web' },
      true,
      false,
    ],
  ])('%s', async (_, scope, ofJob, ofImage) => {
    const change = 'digest' in scope && scope.digest === 'this' ? { digest } : scope;
    const id = await requested('dev', change);
    expect((await found('dev', `job_id=${job}`)).includes(id)).toBe(ofJob);
    expect((await found('dev', OF_IMAGE)).includes(id)).toBe(ofImage);
  });

  it('are those that the account may see: none of another folder', async () => {
    const id = await requested('eve', { folder: 'other' });
    expect(await found('dev', `job_id=${job}`)).not.toContain(id);
    expect(await found('root', `job_id=${job}`)).toContain(id);
    expect(await found('root', OF_IMAGE)).not.toContain(id);
  });

  it('are in force once approved, with the name of the reviewer, and gone once ended', async () => {
    const id = await requested('dev', { vulnerability: 'CVE-2026-2' });
    await clients.root.post(`/api/waivers/${id}/approve`);
    const of = async () =>
      (await json(clients.dev.get(`/api/waivers/findings?job_id=${job}`))).find(
        (waiver: Waiver) => waiver.id === id,
      );
    expect(await of()).toMatchObject({ in_force: true, approvals: [{ username: 'root' }] });
    await clients.dev.post(`/api/waivers/${id}/revoke`, {});
    expect(await of()).toBeUndefined();
  });

  it('are without those that have ended, whatever their state was', async () => {
    const root = await api.store.users.findByUsername('root');
    const ended = await api.store.waivers.insertWaiver({
      ...{
        vulnerability: 'CVE-2026-1',
        package: null,
        packageVersion: null,
        repository: null,
        digest: null,
      },
      ...{ folder: null, status: 'accepted', justification: null, reason: 'over', ticket: null },
      ...{ vexDocument: null, requestedById: root?.id ?? '' },
      expiresAt: new Date(Date.now() - 1),
    });
    await api.store.waivers.save({ ...ended, state: 'approved' });
    expect(await found('root', `job_id=${job}`)).not.toContain(ended.id);
    expect(await found('root', OF_IMAGE)).not.toContain(ended.id);
  });

  it.each([
    ['of a job of another account', () => `job_id=${job}`, [404, 'JOB_UNKNOWN']],
    ['of an image that it may not pull', () => OF_IMAGE, [403, 'FOLDER_FORBIDDEN']],
    ['of nothing', () => '', [422, 'VALIDATION_FAILED']],
    ['of both', () => `job_id=${job}&${OF_IMAGE}`, [422, 'VALIDATION_FAILED']],
  ])('%s are refused', async (_, query, refusal) => {
    expect(await codeOf(clients.eve.get(`/api/waivers/findings?${query()}`))).toEqual(refusal);
  });
});
