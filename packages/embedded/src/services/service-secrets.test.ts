import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { ensureServiceSecrets, readServiceSecrets } from './service-secrets.ts';

it('passwords are kept, no port is chosen, and only our account can read the file', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'standalone.json');
  const first = await ensureServiceSecrets(file);
  expect(new Set(Object.values(first)).size).toBe(4);
  expect(await ensureServiceSecrets(file)).toEqual(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('a file of the first release, without a registry password, gets one and is otherwise unchanged', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'standalone.json');
  const { registryPassword, ...secrets } = await ensureServiceSecrets(file);
  const before = { ports: { postgres: 1, redis: 2, registry: 3 }, ...secrets };
  await writeFile(file, JSON.stringify(before));
  expect(await readServiceSecrets(file)).toEqual(before);
  const now = await ensureServiceSecrets(file);
  expect(now).toEqual({ ...before, registryPassword: expect.stringMatching(/^[\w-]{32}$/) });
  expect(now.registryPassword).not.toBe(registryPassword);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(now);
});
