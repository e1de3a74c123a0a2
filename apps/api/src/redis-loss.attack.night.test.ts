/**
 * A Redis that loses all its data must lock no account out, allow no unlimited guesses, and break
 * no upload.
 */

import { createHash, randomBytes } from 'node:crypto';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiEnvironment, type ApiProcess, openApiEnvironment } from './api-process.fixture.ts';

const PER_ACCOUNT = 3;
const PER_ADDRESS = 20;

let environment: ApiEnvironment;
let api: ApiProcess;
let session: Record<string, string>;
let docker: { authorization: string };

beforeAll(async () => {
  environment = await openApiEnvironment();
  api = await environment.start({
    LOGIN_LIMIT_PER_ACCOUNT: String(PER_ACCOUNT),
    RATE_LIMIT_ENABLED: 'true',
    RATE_LIMIT_PER_MINUTE: String(PER_ADDRESS),
  });
  // After the start, which creates the first administrator only if there is none.
  session = await environment.session('root', { isAdmin: true });
  const made = await post('/api/auth/tokens', { name: 'v2', scope: 'docker' });
  const { token } = await json(made);
  docker = { authorization: `Basic ${Buffer.from(`root:${token}`).toString('base64')}` };
});
afterAll(() => environment?.[Symbol.asyncDispose]());

const post = (path: string, body: unknown, headers = session) =>
  fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });

const login = async (password: string, username = 'admin') => {
  // With a session, so that requests count for an account instead of the shared address.
  const answer = await post('/api/auth/login', { username, password });
  await answer.arrayBuffer();
  return answer.status;
};

const losses: [string, () => Promise<unknown>][] = [
  ['FLUSHALL', () => environment.redis.flushall()],
  [
    'a crash, and an empty start',
    async () => {
      await environment.redisServer.crash();
      await environment.redisServer.startEmpty();
      const ready = async () =>
        (await fetch(`${api.url}/api/folders`, { headers: session })).status;
      await expect.poll(ready).toBe(200);
      await expect.poll(() => environment.redis.ping().catch(() => '')).toBe('PONG');
      await expect.poll(() => login('a password of the tests')).toBe(200);
    },
  ],
];

describe.each(losses)('after %s', (_, lose) => {
  it('sessions hold, logins work, and guesses are counted as before', async () => {
    expect(await login('a password of the tests')).toBe(200);
    await lose();
    expect((await fetch(`${api.url}/api/auth/me`, { headers: session })).status).toBe(200);
    expect(await login('a password of the tests')).toBe(200);
    const guesses = [];
    for (let n = 0; n < PER_ACCOUNT + 1; n += 1) guesses.push(await login(`wrong ${n}`));
    expect(guesses).toEqual([...Array(PER_ACCOUNT).fill(401), 429]);
    // The right password is refused too until the window ends.
    expect(await login('a password of the tests')).toBe(429);
    await environment.redis.flushall();
  });

  it('requests without a credential are limited as before', async () => {
    await lose();
    const statuses = [];
    for (let n = 0; n < PER_ADDRESS + 1; n += 1)
      statuses.push((await fetch(`${api.url}/api/auth/me`)).status);
    expect(statuses.filter((status) => status === 429)).not.toEqual([]);
    expect(statuses.slice(0, PER_ADDRESS / 2)).toEqual(Array(PER_ADDRESS / 2).fill(401));
    await environment.redis.flushall();
  });

  it('an upload continues at its offset, is complete at its end, and belongs to its account only', async () => {
    const bytes = randomBytes(300_000);
    const at = (location: string | null) => new URL(location ?? '', api.url);
    const begun = await fetch(`${api.url}/v2/team/upload/blobs/uploads/`, {
      method: 'POST',
      headers: docker,
    });
    expect(begun.status).toBe(202);
    const first = await fetch(at(begun.headers.get('location')), {
      method: 'PATCH',
      headers: { ...docker, 'content-type': 'application/octet-stream' },
      body: bytes.subarray(0, 100_000),
    });
    expect([first.status, first.headers.get('range')]).toEqual([202, '0-99999']);
    await lose();
    const next = at(first.headers.get('location'));
    const name = `other-${randomBytes(4).toString('hex')}`;
    const other = await environment.session(name, { isAdmin: true });
    const { token } = await json(post('/api/auth/tokens', { name: 'v2', scope: 'docker' }, other));
    const stranger = Buffer.from(`${name}:${token}`).toString('base64');
    const stolen = await fetch(next, {
      method: 'PATCH',
      headers: { authorization: `Basic ${stranger}` },
      body: bytes.subarray(100_000),
    });
    expect(stolen.status).toBe(404);
    const second = await fetch(next, {
      method: 'PATCH',
      headers: { ...docker, 'content-type': 'application/octet-stream' },
      body: bytes.subarray(100_000),
    });
    expect([second.status, second.headers.get('range')]).toEqual([202, '0-299999']);
    const end = at(second.headers.get('location'));
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    end.searchParams.set('digest', digest);
    expect((await fetch(end, { method: 'PUT', headers: docker })).status).toBe(201);
    const stored = await fetch(`${environment.registry.url}/v2/team/upload/blobs/${digest}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });
});
