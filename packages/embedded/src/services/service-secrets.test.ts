import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { ensureServiceSecrets } from './service-secrets.ts';

it('passwords are kept, no port is chosen, and only our account can read the file', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'standalone.json');
  const first = await ensureServiceSecrets(file);
  expect(new Set(Object.values(first)).size).toBe(4);
  expect(await ensureServiceSecrets(file)).toEqual(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
