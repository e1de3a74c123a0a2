/** The supervisor with real services and small programs in place of ours. */
import { readFile } from 'node:fs/promises';
import { identityOf, isAlive } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import {
  askApi,
  grandchildrenOf,
  recorded,
  startReady,
  startStandalone,
  until,
} from './standalone.fixture.ts';

startStandalone();

it('two instances run side by side, and a repeated Ctrl-C ends one with everything it started', async () => {
  const [first, second] = await Promise.all([startReady(), startReady('other')]);
  const all = [...(await recorded()).values()];
  expect(all).toHaveLength(6);
  const [grandchild = 0] = await grandchildrenOf(first);
  first.child.kill('SIGINT');
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(all.filter(isAlive)).toEqual([]);
  await until(() => identityOf(grandchild) === null);
  expect(await recorded()).toEqual(new Map());
  expect((await askApi(second))?.pid).toBeGreaterThan(0);
});

it('the first password is shown once, and no secret is an argument or is passed to a program that does not need it', async () => {
  const first = await startReady();
  expect(first.output()).toContain('pass-of-the-test');
  const api = await askApi(first);
  expect(api?.argv).toHaveLength(2);
  expect(api?.env).toMatchObject({
    ADMIN_PASSWORD: 's3cret-of-the-operator',
    REDIS_URL: expect.stringMatching(/^redis:\/\/:.+@%2F.+redis.sock\/0$/),
  });
  const worker = (await recorded()).get('worker')?.split(' ')[0];
  expect(await readFile(`/proc/${worker}/environ`, 'utf8')).not.toContain('s3cret-of-the-operator');
  first.child.kill('SIGTERM');
  await first.ended;
  const again = await startReady();
  expect(again.output()).not.toMatch(/password/i);
});

it('a program and a service that die are restarted at the same address', async () => {
  const run = await startReady();
  const before = await recorded();
  const pid = (await askApi(run))?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  process.kill(Number.parseInt(before.get('redis') ?? '', 10), 'SIGKILL');
  process.kill(Number.parseInt(before.get('postgres') ?? '', 10), 'SIGKILL');
  await until(async () => ((await askApi(run))?.pid ?? pid) !== pid, run.output);
  await until(async () => {
    const now = await recorded();
    return ['redis', 'postgres'].every((name) => now.get(name) !== before.get(name));
  }, run.output);
  await until(() => run.output().includes('redis ended by itself (signal SIGKILL)'), run.output);
});
