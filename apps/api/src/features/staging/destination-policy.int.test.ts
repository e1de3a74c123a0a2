/** The preview and the request of a push are decided by the policy of the destination. */

import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import { json } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

const VULNERABILITY = 'CVE-2026-1234';
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

let api: TestApi;
let ann: Client;
let trusted: Client;
let admin: Client;
let adminId: string;
let registryId: string;

beforeAll(async () => {
  api = await startApi();
  adminId = await api.account('root', { isAdmin: true });
  const flags = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  for (const id of [
    await api.account('ann'),
    await api.account('trusted', { canBypassVulnBlock: true }),
  ])
    for (const name of ['prod', 'open', 'team']) await api.grant(id, name, flags);
  [ann, trusted, admin] = await Promise.all([api.as('ann'), api.as('trusted'), api.as('root')]);
  const strict = await policy('strict', [{ severities: ['CRITICAL', 'HIGH'] }]);
  const lax = await policy('lax', []);
  await admin.patch('/api/folders/prod', { policy_id: strict });
  await admin.patch('/api/folders/open', { policy_id: lax });
  const registry = { name: 'outside', host: 'registry.example', policyId: strict };
  registryId = (await api.store.registries.insert(registry)).id;
  await publishChange(api.redis, 'gate');
});
afterAll(() => api?.stop());

async function policy(name: string, rules: object[]): Promise<string> {
  const reply = await admin.post('/api/policies', { name, rules });
  expect(reply.status).toBe(201);
  return (await reply.json()).id;
}

/** A job whose image has one HIGH vulnerability. */
async function staged(owner: Client, overrides: object = {}): Promise<string> {
  const pull = { source_registry_host: 'ghcr.io', image: 'team/app', tag: '1', ...overrides };
  const { job_id } = await json(owner.post('/api/staging/pull', pull));
  const report = sampleReport([{ id: VULNERABILITY, package: 'openssl' }]);
  const { verdict, result } = judge(report, DEFAULT_POLICY, NO_OVERRIDES);
  await api.store.jobs.update(job_id, (job) => ({
    ...stagedAs(verdict)(job),
    vulnResult: result,
  }));
  return job_id;
}

async function previewed(by: Client, job_id: string, destination: object) {
  const fields = { job_id, target_image: 'app', target_tag: 'v1', ...destination };
  return json(by.get(`/api/staging/push/preview?${new URLSearchParams(fields)}`));
}

async function waived(expiresAt: Date, repository: string): Promise<string> {
  const waiver = await api.store.waivers.insertWaiver({
    ...{
      vulnerability: VULNERABILITY,
      package: null,
      packageVersion: null,
      digest: null,
      folder: 'prod',
      repository,
    },
    ...{ status: 'accepted', justification: null, reason: 'not reachable', ticket: null },
    ...{ vexDocument: null, requestedById: adminId, expiresAt },
  });
  await api.store.waivers.save({ ...waiver, state: 'approved' });
  await publishChange(api.redis, 'gate');
  return waiver.id;
}

describe('the preview of a push', () => {
  it.each([
    ['prod', 'strict', false],
    ['open', 'lax', true],
    ['team', 'default', false],
  ])('into the folder %s is decided by the policy %s', async (folder, name, allowed) => {
    const job_id = await staged(ann);
    const preview = await previewed(ann, job_id, { folder });
    expect(preview).toMatchObject({
      allowed,
      code: allowed ? null : 'VULN_BLOCKED',
      bypassed: null,
      decision: {
        outcome: allowed ? 'allowed' : 'refused',
        folder,
        repository: `${folder}/app`,
        policy: { name },
        verdict: allowed ? 'findings' : 'blocked',
        blocking_total: allowed ? 0 : 1,
      },
    });
    if (allowed) return;
    expect(preview.reason).toContain(`Blocked by policy "${name}": 1 high (${VULNERABILITY}`);
    expect(preview.decision.blocking).toMatchObject([
      { vulnerability: VULNERABILITY, package: 'openssl', rule: 0, waivers: [] },
    ]);
  });

  it('to a saved registry is decided by its policy', async () => {
    const job_id = await staged(ann);
    expect(await previewed(ann, job_id, { external_registry_id: registryId })).toMatchObject({
      local: false,
      allowed: false,
      decision: { registry: registryId, folder: null, policy: { name: 'strict' } },
    });
  });

  it('to another host is decided by the default policy', async () => {
    const job_id = await staged(ann);
    expect(await previewed(ann, job_id, { external_registry_host: 'ghcr.io' })).toMatchObject({
      decision: { registry: null, policy: { id: null, name: 'default' } },
    });
  });

  it('shows the waiver that lets it pass, and until when', async () => {
    const until = new Date(Date.now() + 3_600_000);
    const job_id = await staged(ann);
    const waiver = await waived(until, 'prod/waived');
    const to = { folder: 'prod', target_image: 'waived' };
    await expect
      .poll(() => previewed(ann, job_id, to))
      .toMatchObject({
        allowed: true,
        decision: {
          waived: [{ vulnerability: VULNERABILITY, waiver, until: until.toISOString() }],
          valid_until: until.toISOString(),
        },
      });
    const elsewhere = await previewed(ann, job_id, { folder: 'prod', target_image: 'other' });
    expect(elsewhere).toMatchObject({
      allowed: false,
      decision: { blocking: [{ waivers: [{ waiver, miss: 'repository' }] }] },
    });
  });

  it('shows what a bypass would bypass', async () => {
    const job_id = await staged(trusted);
    expect(await previewed(trusted, job_id, { folder: 'prod' })).toMatchObject({
      allowed: true,
      bypassed: 'VULN_BLOCKED',
      decision: { because: 'bypass', code: 'VULN_BLOCKED', policy: { name: 'strict' } },
    });
  });

  it('without the right to push shows no policy', async () => {
    const job_id = await staged(ann);
    expect(await previewed(ann, job_id, {})).toMatchObject({
      allowed: false,
      decision: null,
    });
  });
});

describe('the request of a push', () => {
  const push = (by: Client, job_id: string, more: object) =>
    by.post('/api/staging/push', { job_id, target_image: 'app', target_tag: 'v1', ...more });

  it('is decided as the preview', async () => {
    const job_id = await staged(ann);
    expect(await codeOf(push(ann, job_id, { folder: 'prod' }))).toEqual([403, 'VULN_BLOCKED']);
    expect((await push(ann, job_id, { folder: 'open' })).status).toBe(202);
  });

  it('is not bent by the job’s own severities where the folder has a policy', async () => {
    const job_id = await staged(ann, { vuln_severities_override: ['CRITICAL', 'HIGH', 'LOW'] });
    expect((await push(ann, job_id, { folder: 'open' })).status).toBe(202);
  });

  it('by a bypass that is not used is refused', async () => {
    const job_id = await staged(trusted);
    const more = { folder: 'prod', bypass_gate: false };
    expect(await codeOf(push(trusted, job_id, more))).toEqual([403, 'VULN_BLOCKED']);
    const bypassing = { folder: 'prod', bypass_reason: 'hotfix' };
    expect((await push(trusted, job_id, bypassing)).status).toBe(202);
  });
});
