import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { readRemembered, remember } from './remembered.ts';

it('ports and secrets stay, but for a port somebody else took; the file is for us alone', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'standalone.json');
  const first = await remember(file);
  expect(new Set(Object.values(first.ports)).size).toBe(3);
  expect(await remember(file)).toEqual(first);
  const thief = createServer().listen(first.ports.redis, '127.0.0.1');
  await once(thief, 'listening');
  const then = await remember(file);
  thief.close();
  expect(then.ports).toEqual({ ...first.ports, redis: expect.any(Number) });
  expect(then.ports.redis).not.toBe(first.ports.redis);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('what a first release left behind, whose registry had no password, gets one, and nothing else changes', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'standalone.json');
  const { registryPassword, ...before } = await remember(file);
  await writeFile(file, JSON.stringify(before));
  expect(await readRemembered(file)).toEqual(before);
  const now = await remember(file);
  expect(now).toEqual({ ...before, registryPassword: expect.stringMatching(/^[\w-]{32}$/) });
  expect(now.registryPassword).not.toBe(registryPassword);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(now);
});
