/** From a policy to a pull: an administrator closes a folder, and opens it by another version. */
import { publishReports } from '@portcullis/events';
import { json, pushImage, randomImage, refusal, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Client,
  published,
  startApi,
  type TestApi,
  withinASecond,
} from '../../api.fixture.ts';
import { blockedReport } from '../../registry/gate/report.fixture.ts';

const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };

let api: TestApi;
let second: TestApi;
let root: Client;
let image: TestImage;

beforeAll(async () => {
  api = await startApi();
  second = await startApi({}, api);
  await api.account('root', { isAdmin: true });
  root = await api.as('root');
  await api.grant(await api.account('ann'), 'prod', { canPull: true, canPush: true });
  image = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
  await pushImage(api.url, 'prod/app', '1', image, { credentials: CREDENTIALS });
  const { digest } = image;
  await api.store.reports.record({ digest, report: blockedReport(), scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
});
afterAll(async () => {
  await second?.stop();
  await api?.stop();
});

function pull(from: TestApi): Promise<Response> {
  const { username, password } = CREDENTIALS;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers = { accept: image.descriptor.mediaType, authorization };
  return fetch(`${from.url}/v2/prod/app/manifests/1`, { headers });
}

/** Both processes judge by the change, whatever they had in memory. */
async function pullsEverywhere(status: number): Promise<void> {
  for (const from of [api, second])
    await withinASecond(async () => expect((await pull(from)).status).toBe(status));
}

it('a policy closes a folder, its next version opens it, and another one warns', async () => {
  const policy = { name: 'prod', rules: [{ severities: ['CRITICAL'] }], grace_days: 0 };
  const { id } = await json(root.post('/api/policies', policy));
  await pullsEverywhere(200);

  await root.patch('/api/folders/prod', { policy_id: id, pull_gate: 'enforce' });
  await pullsEverywhere(403);
  const { errors } = await refusal(pull(api));
  expect(errors).toMatchObject([
    {
      code: 'DENIED',
      message: expect.stringContaining('blocked by policy "prod": 1 critical (CVE-2026-1234'),
      detail: { code: 'VULN_BLOCKED' },
    },
  ]);

  const laxer = { rules: [{ severities: ['CRITICAL'], package_types: 'library' }] };
  const draft = { policy_id: id, draft: { ...policy, name: undefined, rules: [] } };
  expect(await json(root.post('/api/policies/preview', draft))).toMatchObject({
    images: 1,
    newly_allowed: 1,
    items: [{ repository: 'prod/app', digest: image.digest, tags: ['1'] }],
  });
  await pullsEverywhere(403);

  // The package of the report states no type: it still matches.
  await root.patch(`/api/policies/${id}`, { version: 1, ...laxer });
  await pullsEverywhere(403);
  await root.patch(`/api/policies/${id}`, { version: 2, rules: [{ severities: ['HIGH'] }] });
  await pullsEverywhere(200);

  // It passed here before: the default policy serves it for seven more days.
  await root.patch('/api/folders/prod', { policy_id: null });
  await withinASecond(async () =>
    expect((await pull(second)).headers.get('warning')).toMatch(/default blocks this image/),
  );
  await root.patch('/api/folders/prod', { pull_gate: 'off' });
  await withinASecond(async () => expect((await pull(second)).headers.get('warning')).toBeNull());
});

it('each refusal is an audit event with the version that decided', async () => {
  const rules = [{ severities: ['CRITICAL'] }];
  const policy = { name: 'recorded', rules, grace_days: 0 };
  const { id } = await json(root.post('/api/policies', policy));
  await root.patch('/api/folders/prod', { policy_id: id, pull_gate: 'enforce' });
  await pullsEverywhere(403);
  const decisions = async () =>
    (await published(api, 50))
      .filter(({ event, outcome }) => event === 'image.pulled_blocked' && outcome === 'denied')
      .map(({ detail }) => detail);
  const decided = { policy: expect.objectContaining({ id, name: 'recorded', version: '1' }) };
  const event = expect.objectContaining({ decision: expect.objectContaining(decided) });
  await expect.poll(decisions).toContainEqual(event);
});
