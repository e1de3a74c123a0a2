import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { readBinaryState, writeBinaryState } from './state.ts';

it('is missing before the first write', async () => {
  expect(await readBinaryState('/nonexistent/scanner.json')).toMatchObject({
    state: 'unavailable',
    path: null,
  });
});

it('is read as written', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'trivy', 'scanner.json');
  const state = {
    state: 'ready',
    path: '/bin/trivy',
    version: '0.74.0',
    message: 'ready',
  } as const;
  await writeBinaryState(file, state);
  expect(await readBinaryState(file)).toMatchObject(state);
});
