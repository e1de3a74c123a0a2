/** Cooldown at the doors of `/v2`, by rows of sightings with set times. */
import type { GateDecision, ImageTag } from '@portcullis/contract';
import { DEFAULT_POLICY, judge, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { publishChange, publishReports } from '@portcullis/events';
import {
  json,
  openSql,
  pushImage,
  randomImage,
  refusal,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from './report.fixture.ts';

const HOUR_MS = 3_600_000;
const ACCEPT = 'application/vnd.oci.image.manifest.v1+json';

let api: TestApi;
let root: Client;
let sql: Awaited<ReturnType<typeof openSql>>;
let policyId: string;

beforeAll(async () => {
  api = await startApi({ PULL_GATE_WAIT_SECONDS: '0' });
  sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  await api.account('root', { isAdmin: true });
  root = await api.as('root');
  const ann = await api.account('ann');
  const { folderId } = await api.grant(ann, 'wait', { canPull: true, canPush: true });
  const terms = { rules: [{ severities: ['CRITICAL'] }], grace_days: 0, min_age_hours: 24 };
  ({ id: policyId } = await json(root.post('/api/policies', { name: 'patient', ...terms })));
  await root.patch(`/api/folders/${folderId}`, { policy_id: policyId, pull_gate: 'enforce' });
});

afterAll(async () => {
  await sql?.end();
  await api?.stop();
});

const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;

/** In the registry, without a sighting, and with a clean report. */
async function image(report = cleanReport()): Promise<TestImage> {
  const made = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
  await pushImage(api.registry.url, 'wait/app', '1', made);
  await api.store.reports.record({ digest: made.digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [made.digest]);
  return made;
}

async function seen({ digest }: TestImage, ago: number): Promise<void> {
  const first = new Date(Date.now() - ago);
  await sql.query(
    `INSERT INTO sightings (repository, tag, digest, first) VALUES ('up/app', '1', $1, $2)
     ON CONFLICT (repository, tag, digest) DO UPDATE SET first = excluded.first`,
    [digest, first],
  );
  await publishReports(api.redis, [digest]);
}

function pull({ digest }: TestImage): Promise<Response> {
  const headers = { accept: ACCEPT, authorization };
  return fetch(`${api.url}/v2/wait/app/manifests/${digest}`, { headers });
}

const standing = ({ digest }: { digest: string }): Promise<GateDecision> =>
  json(
    root.get(`/api/images/${LOCAL_REGISTRY_ID}/standing?repository=wait/app&reference=${digest}`),
  );

describe('a pull', () => {
  it('of an image that is too young is refused with one sentence that names the moment', async () => {
    const young = await image();
    await seen(young, HOUR_MS);
    const { waits_until: until } = await standing(young);
    expect(Number(Date.parse(until ?? ''))).toBeGreaterThan(Date.now() + 22 * HOUR_MS);
    const text = `${until?.slice(0, 16).replace('T', ' ')} UTC`;
    const { errors } = await refusal(pull(young));
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'DENIED',
        message: expect.stringContaining(
          `blocked by policy "patient": the image is too new here and waits until ${text}`,
        ),
      }),
    ]);
  });

  it('passes by itself once the moment has come', async () => {
    const ripe = await image();
    await seen(ripe, 24 * HOUR_MS - 3_000);
    expect((await pull(ripe)).status).toBe(403);
    await expect.poll(async () => (await pull(ripe)).status).toBe(200);
  });

  it('of an image without a sighting is refused as if it were seen now', async () => {
    const unknown = await image();
    expect((await pull(unknown)).status).toBe(403);
    const { code, waits_until: until } = await standing(unknown);
    expect(code).toBe('TOO_YOUNG');
    expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  });

  it('names the findings of an image that is blocked as well', async () => {
    const bad = await image(blockedReport());
    await seen(bad, HOUR_MS);
    expect(await standing(bad)).toMatchObject({
      code: 'VULN_BLOCKED',
      waits_until: expect.any(String),
      policy: { min_age_hours: 24 },
    });
  });

  it('of an image whose age another account accepted passes, and that of no other', async () => {
    const [accepted, other] = [await image(), await image()];
    for (const each of [accepted, other]) await seen(each, HOUR_MS);
    const ann = await api.as('ann');
    const wanted = {
      ...{ vulnerability: 'TOO_YOUNG', folder: 'wait', status: 'accepted', reason: 'urgent' },
      expires_at: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
    };
    expect((await ann.post('/api/waivers', wanted)).status).toBe(422);
    const { id } = await json(ann.post('/api/waivers', { ...wanted, digest: accepted.digest }));
    expect((await pull(accepted)).status).toBe(403);
    await json(root.post(`/api/waivers/${id}/approve`));
    await expect.poll(async () => (await pull(accepted)).status).toBe(200);
    expect(await standing(accepted)).toMatchObject({
      ...{ outcome: 'served', waits_until: null },
      age_waiver: { waiver: id, until: wanted.expires_at },
    });
    expect((await pull(other)).status).toBe(403);
    await json(root.post(`/api/waivers/${id}/revoke`, { reason: 'withdrawn' }));
    await expect.poll(async () => (await pull(accepted)).status).toBe(403);
  });

  it('follows another policy at once, whatever the image has waited for', async () => {
    const waiting = await image();
    await seen(waiting, HOUR_MS);
    const change = async (min_age_hours: number) => {
      const { version } = await json(root.get(`/api/policies/${policyId}`));
      await root.patch(`/api/policies/${policyId}`, { version, min_age_hours });
      await publishChange(api.redis, 'gate');
    };
    await change(1);
    await expect.poll(async () => (await pull(waiting)).status).toBe(200);
    await change(24);
    await expect.poll(async () => (await pull(waiting)).status).toBe(403);
  });
});

describe('a push over /v2', () => {
  it('is the sighting of its digest, and a later one under another tag is not', async () => {
    const pushed = await image();
    const push = (tag: string) =>
      fetch(`${api.url}/v2/wait/app/manifests/${tag}`, {
        method: 'PUT',
        headers: { authorization, 'content-type': pushed.descriptor.mediaType },
        body: Buffer.from(pushed.bytes),
      });
    expect((await push('v1')).status).toBe(201);
    const first = await api.store.sightings.first(pushed.digest);
    expect(first).not.toBeNull();
    expect((await push('v2')).status).toBe(201);
    expect(await api.store.sightings.first(pushed.digest)).toEqual(first);
    const { waits_until: until } = await standing(pushed);
    expect(Date.parse(until ?? '')).toBe(Number(first) + 24 * HOUR_MS);
  });

  it('is stated with the same moment by the list of tags', async () => {
    const list: ImageTag[] = await json(
      root.get(`/api/images/${LOCAL_REGISTRY_ID}/tags?repository=wait/app`),
    );
    const v1 = list.find(({ tag }) => tag === 'v1');
    const { waits_until: until } = await standing({ digest: v1?.digest ?? '' });
    expect(v1?.standing).toMatchObject({ code: 'TOO_YOUNG', state: 'blocked', until });
  });
});

it('a push of a fix is accepted before it is old enough, where the policy says so', async () => {
  const terms = { rules: [{ severities: ['CRITICAL'] }], min_age_hours: 24 };
  const urgent = { name: 'urgent', ...terms, unless_fixes: 'blocking' };
  const { id: policy_id } = await json(root.post('/api/policies', urgent));
  const ownerId = await api.account('eve');
  const { folderId } = await api.grant(ownerId, 'urgent', { canPush: true });
  const eve = await api.as('eve');
  await root.patch(`/api/folders/${folderId}`, { policy_id });
  const pushed = async (report: ReturnType<typeof cleanReport>) => {
    const made = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
    const credentials = { username: 'root', password: 'pass-of-root' };
    await pushImage(api.url, 'urgent/app', '1', made, { credentials });
    await api.store.reports.record({ digest: made.digest, report, scannedAt: new Date() });
    return made.digest;
  };
  const ask = async (digest: string) => {
    const source = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
    const { id } = await api.store.jobs.insert({ ownerId, image: 'urgent/app', tag: '1', source });
    const overrides = { vulnScanEnabled: null, vulnSeverities: null };
    const { result: vulnResult } = judge(cleanReport(), DEFAULT_POLICY, overrides);
    const changed = { digest, vulnResult, sightedAt: new Date() };
    await api.store.jobs.update(id, (row) => ({ ...stagedAs('clean')(row), ...changed }));
    const push = { job_id: id, target_image: 'urgent/app', target_tag: '1' };
    return (await eve.post('/api/staging/push', push)).status;
  };
  const fix = await pushed(cleanReport());
  await pushed(blockedReport());
  expect(await ask(fix)).toBe(202);
  const { digest: other } = await image();
  await pushed(cleanReport());
  expect(await ask(other)).toBe(403);
});

it('the default policy has the terms of the scan settings, at the doors as well', async () => {
  const terms = { min_age_hours: 24, unless_fixes: 'kev' };
  const young = await image();
  await seen(young, HOUR_MS);
  await root.patch('/api/folders/wait', { policy_id: null });
  onTestFinished(async () => {
    await root.delete('/api/trivy/override');
    await root.patch('/api/folders/wait', { policy_id: policyId });
  });
  expect(await json(root.put('/api/trivy/override', terms))).toMatchObject(terms);
  expect((await json(root.get('/api/policies')))[0]).toMatchObject({ id: null, ...terms });
  expect((await pull(young)).status).toBe(403);
  expect(await standing(young)).toMatchObject({
    code: 'TOO_YOUNG',
    policy: { name: 'default', min_age_hours: 24 },
  });
  for (const wrong of [{ min_age_hours: 8_761 }, { unless_fixes: 'all' }])
    expect((await root.put('/api/trivy/override', wrong)).status).toBe(422);
});

it.each([
  ['of more than a year', 8_761],
  ['below nothing', -1],
])('a policy with an age %s is refused', async (_, min_age_hours) => {
  const response = await root.post('/api/policies', { name: 'odd', rules: [], min_age_hours });
  expect(response.status).toBe(422);
});
