/**
 * The api during outages of its dependencies: it reports them, and never makes a promise that it
 * cannot keep.
 */

import { createServer } from 'node:http';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';
import { createTokens } from './identity/tokens.ts';
import { listen } from './server.ts';

let api: TestApi;
let admin: Client;
/** Another process with the same database and Redis. */
let second: TestApi;

const METRICS_TOKEN = 'token-of-sixteen-characters';

let hubAnswers = 0;
const hub = createServer((request, response) => {
  hubAnswers++;
  if (request.url?.includes('down')) return void response.writeHead(500).end();
  const results = [
    {
      repo_name: 'nginx',
      short_description: 'web',
      star_count: 1,
      pull_count: 2,
      is_official: true,
      is_automated: false,
    },
  ];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
});

let stopHub: () => Promise<void>;

beforeAll(async () => {
  const listening = await listen(hub, 0, '127.0.0.1');
  stopHub = () => listening.stop(0);
  api = await startApi({
    DOCKERHUB_API_URL: `http://127.0.0.1:${listening.port}`,
    METRICS_TOKEN,
  });
  second = await startApi({}, api);
  await api.account('root', { isAdmin: true });
  admin = await api.as('root');
});
afterAll(async () => {
  await stopHub?.();
  await second?.stop();
  await api?.stop();
});

describe('Docker Hub', () => {
  it('is asked once for the same search', async () => {
    const found = [
      {
        name: 'nginx',
        description: 'web',
        star_count: 1,
        pull_count: 2,
        is_official: true,
        is_automated: false,
      },
    ];
    expect(await json(admin.get('/api/staging/search/dockerhub?q=nginx'))).toEqual(found);
    expect(await json(admin.get('/api/staging/search/dockerhub?q=nginx'))).toEqual(found);
    expect(hubAnswers).toBe(1);
  });

  it('is a 503 with Retry-After during an outage', async () => {
    const response = await admin.get('/api/staging/search/dockerhub?q=down');
    expect([response.status, (await response.json()).code]).toEqual([503, 'DOCKERHUB_UNAVAILABLE']);
    expect(response.headers.has('retry-after')).toBe(true);
  });
});

describe('without Redis', () => {
  beforeAll(() => api.stopRedis());

  it('O5: the process stays ready, and the health of its dependencies names Redis', async () => {
    expect((await fetch(`${api.url}/api/health`)).status).toBe(200);
    expect((await fetch(`${api.url}/api/ready`)).status).toBe(200);
    const health = await fetch(`${api.url}/api/health/dependencies`);
    expect([health.status, await health.json()]).toMatchObject([
      200,
      { status: 'degraded', dependencies: { redis: { ok: false }, database: { ok: true } } },
    ]);
    const metrics = await fetch(`${api.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toMatch(/^portcullis_dependency_up\{dependency="redis"\} 0$/m);
  });

  it('a right that another process revokes ends at once: nothing is cached without notifications', async () => {
    const id = await second.account('ann');
    const session = await second.store.sessions.insert({
      userId: id,
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    const token = createTokens(Buffer.alloc(32, 1)).issue(
      { userId: id, sessionId: session.id },
      3_600,
    );
    const ask = () =>
      fetch(`${api.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    await second.store.users.update(id, { disabled: true });
    expect((await ask()).status).toBe(401);
  });

  it('what is in the database can be read', async () => {
    expect((await admin.get('/api/staging/jobs')).status).toBe(200);
  });

  it('a pull is accepted: its row is stored for the sweeper, its audit event in the outbox', async () => {
    const { count: before } = await api.store.outbox.waiting();
    const response = await admin.post('/api/staging/pull', { image: 'a/b', tag: '1' });
    const { job_id } = await response.json();
    expect(response.status).toBe(202);
    expect((await api.store.jobs.get(job_id)).status).toBe('pull_queued');
    expect((await api.store.outbox.waiting()).count).toBe(before + 1);
  });

  it('no password is accepted, so that none can be guessed', async () => {
    const body = JSON.stringify({ username: 'root', password: 'pass-of-root' });
    const response = await fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([response.status, (await response.json()).code]).toEqual([503, 'REDIS_UNAVAILABLE']);
  });
});

describe('without the registry', () => {
  beforeAll(() => api.registry.stop());

  it('O5: a session still reads jobs, and the process stays ready', async () => {
    expect((await admin.get('/api/staging/jobs')).status).toBe(200);
    expect((await fetch(`${api.url}/api/ready`)).status).toBe(200);
    // Results are cached for a second.
    await expect
      .poll(() => json(fetch(`${api.url}/api/health/dependencies`)))
      .toMatchObject({ status: 'degraded', dependencies: { registry: { ok: false } } });
  });
});

describe('a process that stops', () => {
  it('is not ready', async () => {
    api.close();
    const response = await fetch(`${api.url}/api/ready`);
    expect([response.status, await response.json()]).toEqual([503, { status: 'stopping' }]);
  });
});
