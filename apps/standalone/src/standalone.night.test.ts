/** An installation with paths that are too long for sockets, killed, or started twice. */
import { chmod, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, isAlive } from '@portcullis/runtime';
import { expect, it } from 'vitest';
import {
  askApi,
  grandchildrenOf,
  place,
  recorded,
  startReady,
  startRun,
  startStandalone,
  until,
} from './standalone.fixture.ts';

startStandalone();

it('where the path of DATA_DIR is too long for a socket, sockets are in a new temporary directory at each start', async () => {
  const data = 'long'.repeat(25);
  await chmod(place.path, 0o755);
  const link = join(place.path, data, 'sockets');
  const first = await startReady(data);
  const folder = await readlink(link);
  expect((await readdir(folder)).sort()).toEqual(['postgres', 'redis.sock', 'registry.sock']);
  // PostgreSQL's group may pass through where root starts it.
  expect((await stat(folder)).mode & 0o767).toBe(0o700);
  expect((await askApi(first))?.env.DATABASE_URL).toContain(
    encodeURIComponent(join(folder, 'postgres')),
  );
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await startReady(data);
  expect(await readlink(link)).not.toBe(folder);
  const paths = [folder, await readlink(link)];
  second.child.kill('SIGTERM');
  await second.ended;
  for (const each of [...paths, link])
    await expect(stat(each)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('what a killed supervisor started ends by itself, and the next one starts', async () => {
  const first = await startReady();
  const left = [...(await recorded()).values()];
  const grandchildren = await grandchildrenOf(first);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(left.length).toBe(6);
  await until(() => left.filter(isAlive).length === 0);
  await startReady();
  await until(() => grandchildren.every((pid) => identityOf(pid) === null));
});

it('a second instance on the same data reports that and does not disturb the first', async () => {
  const first = await startReady();
  const second = await startRun('data');
  expect(await second.ended).toBe(1);
  const reported = `another Portcullis (process ${first.child.pid}) runs on`;
  await until(() => second.output().includes(reported), second.output);
  expect((await recorded()).size).toBe(6);
  expect((await askApi(first))?.pid).toBeGreaterThan(0);
});
