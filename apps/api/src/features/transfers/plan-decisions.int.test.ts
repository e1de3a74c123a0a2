/** What a plan says about the gate, by reports of earlier scans. */
import type { TransferPlan, TransferRequest } from '@portcullis/contract';
import type { Severity } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import {
  buildIndex,
  json,
  pushImage,
  randomImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

const VULNERABILITY = 'CVE-2026-1234';

type Account = 'ann' | 'trusted' | 'root';
type Ask = Partial<Omit<TransferRequest, 'images'>>;

let api: TestApi;
let outside: TestRegistry;
let accounts: Record<Account, Client>;
let ids: Record<Account, string>;
let external: string;
const images: Record<string, TestImage> = {};

beforeAll(async () => {
  [api, outside] = await Promise.all([startApi(), startRegistry()]);
  ids = {
    ann: await api.account('ann'),
    trusted: await api.account('trusted', { canBypassVulnBlock: true }),
    root: await api.account('root', { isAdmin: true }),
  };
  const flags = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  for (const name of ['prod', 'open', 'team'])
    for (const id of [ids.ann, ids.trusted]) await api.grant(id, name, flags);
  await api.grant(ids.root, 'secret', flags);
  accounts = {
    ann: await api.as('ann'),
    trusted: await api.as('trusted'),
    root: await api.as('root'),
  };
  const strict = await policy('strict', [{ severities: ['CRITICAL', 'HIGH'] }]);
  const lax = await policy('lax', []);
  await accounts.root.patch('/api/folders/prod', { policy_id: strict });
  await accounts.root.patch('/api/folders/open', { policy_id: lax });
  const saved = { name: 'outside', host: outside.host, useTls: false, policyId: strict };
  external = (await api.store.registries.insert(saved)).id;
  await provide();
  await waived('prod/team/waived');
  await publishChange(api.redis, 'gate');
});

afterAll(async () => {
  await api?.stop();
  await outside?.stop();
});

/** Images of the folder `team`, with the reports of their scans. */
async function provide(): Promise<void> {
  const part = (platform: string) => randomImage({ platform });
  const [flawed, clean] = [await part('linux/amd64'), await part('linux/arm64')];
  const [alsoClean, unknown] = [await part('linux/amd64'), await part('linux/arm64')];
  const [single, waivable] = [await randomImage(), await randomImage()];
  Object.assign(images, {
    flawed: single,
    low: await randomImage(),
    waived: waivable,
    'never-scanned': await randomImage(),
    'partly-known': buildIndex([flawed, unknown]),
    'partly-clean': buildIndex([alsoClean, unknown]),
    'one-blocked': buildIndex([flawed, clean]),
    'all-clean': buildIndex([alsoClean, clean]),
  });
  for (const [name, image] of Object.entries(images))
    await pushImage(api.registry.url, `team/${name}`, '1', image);
  for (const { digest } of [single, waivable, flawed]) await scanned(digest, 'HIGH');
  for (const { digest } of [clean, alsoClean]) await scanned(digest);
  await scanned(images.low?.digest, 'LOW');
}

async function scanned(digest: string | undefined, ...found: Severity[]): Promise<void> {
  const findings = found.map((severity) => ({ id: VULNERABILITY, package: 'openssl', severity }));
  const report = sampleReport(findings);
  await api.store.reports.record({ digest: digest ?? '', report, scannedAt: new Date() });
}

async function policy(name: string, rules: object[]): Promise<string> {
  return (await json(accounts.root.post('/api/policies', { name, rules }))).id;
}

async function waived(repository: string): Promise<void> {
  const waiver = await api.store.waivers.insertWaiver({
    ...{ vulnerability: VULNERABILITY, package: null, packageVersion: null, digest: null },
    ...{ folder: 'prod', repository, status: 'accepted', justification: null },
    ...{ reason: 'not reachable', ticket: null, vexDocument: null },
    ...{ requestedById: ids.root, expiresAt: new Date(Date.now() + 3_600_000) },
  });
  await api.store.waivers.save({ ...waiver, state: 'approved' });
}

async function planned(
  by: Account,
  repositories: string[],
  request: Ask = {},
): Promise<TransferPlan> {
  const lines = repositories.map((repository) => ({ repository, tag: '1' }));
  const body = { source_registry_id: '__local__', dest_folder: 'prod', images: lines, ...request };
  return json(accounts[by].post('/api/transfer/plan', body));
}

async function decisionOn(by: Account, repository: string, request?: Ask) {
  const { items } = await planned(by, [repository], request);
  return items[0]?.decision;
}

const PASSES = { outcome: 'allowed', because: 'passes', code: null, blocking_total: 0 };
const BLOCKED = { outcome: 'refused', because: null, code: 'VULN_BLOCKED', blocking_total: 1 };

it.each<[sentence: string, repository: string, request: Ask, decision: object | null]>([
  [
    'would be blocked, with the rule of the policy and the findings',
    'flawed',
    {},
    {
      ...BLOCKED,
      verdict: 'blocked',
      policy: { name: 'strict', rules: [{ position: 0, severities: ['CRITICAL', 'HIGH'] }] },
      counts: { CRITICAL: 0, HIGH: 1 },
      blocking: [{ vulnerability: VULNERABILITY, package: 'openssl', rule: 0 }],
    },
  ],
  [
    'passes the other policy of another folder',
    'flawed',
    { dest_folder: 'open' },
    { ...PASSES, verdict: 'findings', policy: { name: 'lax' } },
  ],
  [
    'is judged by the default policy where the folder has none',
    'flawed',
    { dest_folder: 'team', dest_tag: '2' },
    { ...BLOCKED, policy: { id: null, name: 'default' } },
  ],
  ['passes with findings that no rule blocks', 'low', {}, { ...PASSES, verdict: 'findings' }],
  ['passes with a waiver', 'waived', {}, { ...PASSES, waived_total: 1 }],
  [
    'is blocked where the waiver is for another folder',
    'waived',
    { dest_folder: 'team', dest_tag: '2' },
    { ...BLOCKED, waived_total: 0 },
  ],
  ['is not judged before its first scan', 'never-scanned', {}, null],
  ['is blocked by one platform of its index', 'one-blocked', {}, BLOCKED],
  ['passes with all platforms of its index', 'all-clean', {}, { ...PASSES, verdict: 'clean' }],
  ['is blocked by one platform while another is not scanned', 'partly-known', {}, BLOCKED],
  ['is not judged while a platform that may block is not scanned', 'partly-clean', {}, null],
  [
    'passes with the only platform that is copied',
    'one-blocked',
    { platforms: ['linux/arm64'] },
    { ...PASSES, verdict: 'clean' },
  ],
  [
    'to another registry is judged by the policy of that registry',
    'flawed',
    { dest_folder: undefined, dest_registry_id: 'external' },
    { ...BLOCKED, policy: { name: 'strict' } },
  ],
])('an image of a plan %s', async (_, name, request, decision) => {
  const target = request.dest_registry_id && { dest_registry_id: external };
  const found = await decisionOn('ann', `team/${name}`, { ...request, ...target });
  if (decision === null) expect(found).toBeNull();
  else expect(found).toMatchObject(decision);
});

it('the totals count what would be blocked and what is not judged', async () => {
  const names = ['flawed', 'low', 'waived', 'never-scanned', 'missing'];
  const { totals } = await planned(
    'ann',
    names.map((name) => `team/${name}`),
  );
  expect(totals).toMatchObject({ images: 5, copy: 4, failed: 1, blocked: 1, not_judged: 1 });
});

it('an image that the destination has already would be blocked as well', async () => {
  const { digest } = images.flawed ?? {};
  await pushImage(api.registry.url, 'prod/team/flawed', '1', images.flawed as TestImage);
  const { items, totals } = await planned('ann', ['team/flawed']);
  expect(items).toMatchObject([{ state: 'present', digest, decision: BLOCKED }]);
  expect(totals).toMatchObject({ present: 1, blocked: 1, not_judged: 0 });
});

it('an account that may pass the gate reads what it would bypass, if it asks for that', async () => {
  const bypass = { bypass_gate: true, bypass_reason: 'urgent' };
  expect(await decisionOn('trusted', 'team/flawed', bypass)).toMatchObject({
    ...{ outcome: 'allowed', because: 'bypass', code: 'VULN_BLOCKED', blocking_total: 1 },
  });
  expect(await decisionOn('trusted', 'team/flawed', { bypass_gate: false })).toMatchObject(BLOCKED);
});

it('a transfer without a scan is refused by a policy that needs one, whatever was scanned', async () => {
  const request = { vuln_scan_enabled_override: false, bypass_gate: false };
  for (const name of ['low', 'never-scanned'])
    expect(await decisionOn('root', `team/${name}`, request)).toMatchObject({
      ...{ outcome: 'refused', code: 'SCAN_REQUIRED', verdict: null, scanned_at: null },
    });
});

it('an image that the account may not copy has no decision', async () => {
  const { items } = await planned('ann', ['secret/app']);
  expect(items).toMatchObject([{ state: 'refused', code: 'FOLDER_FORBIDDEN', decision: null }]);
});

/** The same image outside and in a folder: a saved registry may claim any digest. */
it('of an image of a saved registry an account reads only what it may read anyway', async () => {
  const image = await randomImage();
  const { digest } = image;
  await pushImage(outside.url, 'lib/app', '1', image);
  await scanned(digest, 'HIGH');
  const asked = { source_registry_id: external };
  expect(await decisionOn('ann', 'lib/app', asked)).toBeNull();
  expect(await decisionOn('root', 'lib/app', { ...asked, bypass_gate: false })).toMatchObject(
    BLOCKED,
  );

  await recorded('secret/app', digest);
  expect(await decisionOn('ann', 'lib/app', asked)).toBeNull();
  await recorded('team/app', digest);
  expect(await decisionOn('ann', 'lib/app', asked)).toMatchObject(BLOCKED);

  const pull = { source_registry_host: 'ghcr.io', image: 'lib/own', tag: '1' };
  const own = await randomImage();
  await pushImage(outside.url, 'lib/own', '1', own);
  await scanned(own.digest, 'HIGH');
  expect(await decisionOn('ann', 'lib/own', asked)).toBeNull();
  const { job_id } = await json(accounts.ann.post('/api/staging/pull', pull));
  await api.store.jobs.update(job_id, (job) => ({
    ...stagedAs('blocked')(job),
    digest: own.digest,
  }));
  expect(await decisionOn('ann', 'lib/own', asked)).toMatchObject(BLOCKED);
});

async function recorded(repository: string, digest: string): Promise<void> {
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', artifactType: null },
    ...{ subject: null, size: 5, contents: [], platforms: ['linux/amd64'] },
  };
  const at = new Date();
  await api.store.images.record({ repository, tag: '1', digest, manifests: [manifest], at });
}
