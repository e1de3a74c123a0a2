import { once } from 'node:events';
import { chown, lstat, mkdir, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  closeSockets,
  findSockets,
  openSockets,
  postgresSocketDir,
  socketPaths,
} from './sockets.ts';

it('the directory is in DATA_DIR, closed to other accounts, and removed at the end', async () => {
  await using data = await temporaryDir();
  const dir = join(data.path, 'sockets');
  await mkdir(dir, { mode: 0o755 });
  await writeFile(join(dir, 'left by a crash'), '');
  expect(await openSockets(dir)).toBe(dir);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  expect(await readdir(dir)).toEqual([]);
  expect(await findSockets(dir)).toBe(dir);
  await closeSockets(dir);
  expect(await readdir(data.path)).toEqual([]);
});

it('where the path is too long, a new temporary directory is used at each start', async () => {
  await using data = await temporaryDir();
  await using temporary = await temporaryDir();
  const deep = join(data.path, 'a'.repeat(90));
  await mkdir(deep);
  const dir = join(deep, 'sockets');
  const first = await openSockets(dir, temporary.path);
  expect(await readlink(dir)).toBe(first);
  expect((await stat(first)).mode & 0o777).toBe(0o700);
  const server = createServer().listen(socketPaths(first).registry);
  await once(server, 'listening');
  server.close();
  expect(postgresSocketDir(join(deep, 'postgres'), first)).toBe(join(first, 'postgres'));
  const second = await openSockets(dir, temporary.path);
  expect([second, await findSockets(dir)]).toEqual([expect.not.stringContaining(first), second]);
  expect(await readdir(temporary.path)).toHaveLength(1);
  await closeSockets(dir);
  expect([await readdir(temporary.path), await readdir(deep)]).toEqual([[], []]);
});

it('a directory of another account in the temporary directory is not used', async () => {
  await using data = await temporaryDir();
  const dir = join(data.path, 'sockets');
  // Only root can create one for another account; for any other account `/` is one.
  const theirs = process.getuid?.() === 0 ? join(data.path, 'theirs') : '/';
  if (theirs !== '/') {
    await mkdir(theirs);
    await chown(theirs, 65_534, 65_534);
  }
  await symlink(theirs, dir);
  await closeSockets(dir);
  expect((await stat(theirs)).isDirectory()).toBe(true);
  await expect(lstat(dir)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('a temporary directory whose path is too long as well is an error that names the setting', async () => {
  await using data = await temporaryDir();
  const deep = join(data.path, 'a'.repeat(90));
  await mkdir(deep);
  await expect(openSockets(join(deep, 'sockets'), deep)).rejects.toMatchObject({
    code: 'SOCKET_PATH_TOO_LONG',
  });
  expect(await readdir(deep)).toEqual([]);
});

it('PostgreSQL listens in its cluster directory, unless the path is too long', () => {
  expect(postgresSocketDir('/data/postgres', '/tmp/s')).toBe('/data/postgres');
  expect(postgresSocketDir(`/${'a'.repeat(92)}`, '/tmp/s')).toBe(`/${'a'.repeat(92)}`);
  if (process.platform === 'linux')
    expect(postgresSocketDir(`/${'a'.repeat(93)}`, '/tmp/s')).toBe('/tmp/s/postgres');
});
