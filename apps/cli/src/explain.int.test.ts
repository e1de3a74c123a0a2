/** `portcullis explain` with a real registry and database, in both forms. */

import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import {
  createDatabase,
  pushImage,
  randomImage,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

let database: TestDatabase;
let registry: TestRegistry;
let dir: TemporaryDir;
let image: TestImage;
let env: Record<string, string>;

beforeAll(async () => {
  [database, registry, dir] = await Promise.all([
    createDatabase(),
    startRegistry(),
    temporaryDir(),
  ]);
  env = {
    DATABASE_URL: database.url,
    REGISTRY_URL: registry.url,
    DATA_DIR: dir.path,
    SECRET_KEY: '1'.repeat(64),
    PUBLIC_URL: 'https://registry.example.com',
  };
  image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  await pushImage(registry.url, 'prod/app', '1', image);
  const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  const { id } = await store.folders.insertFolder({ name: 'prod' });
  await store.folders.update(id, { pullGate: 'enforce' });
  await store.users.insert({
    username: 'trusted',
    passwordHash: 'none',
    isAdmin: false,
    canBypassVulnBlock: true,
  });
  await store.close();
});

afterAll(async () => {
  await Promise.all([database?.stop(), registry?.stop(), dir?.remove()]);
});

const explained = (...args: string[]) => callCli(['explain', ...args], { env });

describe('portcullis explain', () => {
  it.each<[string, string[], object]>([
    ['a tag', ['prod/app:1'], { outcome: 'held', code: 'PENDING', door: 'pull' }],
    ['the public host', ['registry.example.com/prod/app:1'], { outcome: 'held' }],
    [
      'a copy',
      ['prod/app:1', '--door', 'copy_from'],
      { outcome: 'refused', code: 'SCAN_REQUIRED' },
    ],
    [
      'a new copy',
      ['prod/new:1', '--from', 'prod/app', '--door', 'copy_to'],
      { outcome: 'refused' },
    ],
    ['another folder', ['other/app:1', '--from', 'prod/app'], { because: 'mode', mode: 'off' }],
    ['an account', ['prod/app:1', '--account', 'trusted'], { code: 'FOLDER_FORBIDDEN' }],
  ])('of %s prints the decision as the api does', async (_, args, expected) => {
    const { code, out, err } = await explained(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ ...expected, requested_digest: image.digest });
  });

  it('prints lines for people', async () => {
    const { code, out } = await runCli(['explain', `prod/app@${image.digest}`], { env });
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([
      `prod/app@${image.digest}: held (PENDING)`,
      '  door        pull, mode enforce of the folder prod',
    ]);
  });

  it.each([
    ['an unknown account', ['prod/app:1', '--account', 'nemo'], 1, 'USER_UNKNOWN'],
    ['a missing image', ['prod/app:none'], 1, 'prod/app'],
    ['an unknown door', ['prod/app:1', '--door', 'window'], 2, '--door is one of pull'],
  ])('fails for %s', async (_, args, status, text) => {
    const { code, err } = await explained(...args);
    expect(code).toBe(status);
    expect(err).toContain(text);
  });
});
