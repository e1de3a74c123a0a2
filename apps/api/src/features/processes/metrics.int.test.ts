/** `/metrics` of a running api: access and content. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';

const TOKEN = 'a-token-for-prometheus';
let api: TestApi;

beforeAll(async () => {
  api = await startApi({ METRICS_TOKEN: TOKEN });
  await api.account('ann');
});
afterAll(() => api?.stop());

async function metrics(authorization = `Bearer ${TOKEN}`): Promise<Response> {
  return fetch(`${api.url}/metrics`, { headers: { authorization } });
}

it.each(['', 'Bearer wrong', `Basic ${TOKEN}`])('%s may not read', async (authorization) => {
  const answer = await metrics(authorization);
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain('portcullis_');
});

it("an account's token is refused for metrics, and without METRICS_TOKEN the path does not exist", async () => {
  const { token } = await api.as('ann');
  expect((await metrics(`Bearer ${token}`)).status).toBe(401);
  const bare = await startApi({}, api);
  const answer = await fetch(`${bare.url}/metrics`, {
    headers: { authorization: 'Bearer undefined' },
  });
  expect(answer.status).toBe(404);
  await bare.stop();
});

it('requests are counted by operation, not by path; those of /v2 with their bytes', async () => {
  const ann = await api.as('ann');
  await ann.get('/api/staging/jobs/0199d1f0-0000-7000-8000-000000000000');
  await ann.get('/api/made-up/by-somebody');
  await fetch(`${api.url}/v2/team/app/manifests/1`);
  const text = await (await metrics()).text();
  expect(text).toContain(
    'portcullis_http_requests_total{method="GET",operation="/staging/jobs/{job_id}",status="404"} 1',
  );
  expect(text).toContain(
    'portcullis_http_requests_total{method="GET",operation="unknown",status="404"} 1',
  );
  expect(text).toContain(
    'portcullis_v2_requests_total{method="GET",kind="manifests",status="401"} 1',
  );
  expect(text).toMatch(/portcullis_v2_bytes_total\{direction="in"\} [1-9]/);
  expect(text).toMatch(/portcullis_v2_bytes_total\{direction="out"\} [1-9]/);
  expect(text).not.toContain('0199d1f0');
});

it('waiting jobs are counted at the time of the request', async () => {
  await api.queues.dispatch({
    id: 'a',
    status: 'pull_queued',
    ownerId: 'ada',
    fence: 0,
    storageId: null,
  });
  const text = await (await metrics()).text();
  expect(text).toContain('portcullis_queue_depth{queue="pull"} 1');
  expect(text).toMatch(/portcullis_audit_lag_events\{group="archive"\} [1-9]/);
  expect(text).toContain('portcullis_queue_oldest_seconds{queue="pull"}');
});

it('a cluster that reports has the age of its report', async () => {
  const reporterId = await api.account('agent');
  await api.store.clusters.report({
    cluster: 'eu',
    reporterId,
    folders: 'all',
    notKnown: 0,
    images: [],
  });
  const text = await (await metrics()).text();
  expect(text).toMatch(/portcullis_cluster_report_age_seconds\{cluster="eu"\} -?\d/);
});
