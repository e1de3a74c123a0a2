import { once } from 'node:events';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import {
  createDatabase,
  startPostgres,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestRegistry,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import type { DoctorFinding } from './checks/finding.ts';
import { type Ran, runCli } from './cli.fixture.ts';

let database: TestDatabase;
let redis: TestServer;
let registry: TestRegistry;
let dir: TemporaryDir;
let env: Record<string, string>;

beforeAll(async () => {
  [database, redis, registry, dir] = await Promise.all([
    createDatabase(),
    startRedis(),
    startRegistry({ auth: 'basic' }),
    temporaryDir(),
  ]);
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.loginUrl,
    DATA_DIR: dir.path,
    TRIVY_ENABLED: 'false',
  };
});

afterAll(async () => {
  await Promise.all([database.stop(), redis.stop(), registry.stop(), dir.remove()]);
});

async function diagnosis(more: Record<string, string> = {}) {
  return read(await callCli(['doctor', '--json'], { env: { ...env, ...more } }));
}

function read(ran: Ran) {
  expect(ran.err).toBe('');
  const { ok, findings }: { ok: boolean; findings: DoctorFinding[] } = JSON.parse(ran.out);
  expect(ran.code).toBe(ok ? 0 : 1);
  return { ok, findings, about: (name: string) => findings.filter(({ about }) => about === name) };
}

it('a healthy stopped installation only has warnings', async () => {
  const { ok, findings } = read(await runCli(['doctor', '--json'], { env }));
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(ok).toBe(true);
  expect(findings.filter(({ state }) => state === 'warn').map(({ about }) => about)).toEqual([
    'redis', // of the tests: it stores nothing
    'scanner',
    'processes',
    'public address',
  ]);
});

it.each<[string, () => Record<string, string>, Pick<DoctorFinding, 'state' | 'message'>]>([
  [
    'is linked into where it is a directory beside DATA_DIR',
    () => ({ REGISTRY_STORAGE: dir.path }),
    { state: 'ok', message: expect.stringContaining('are linked into') },
  ],
  [
    'is left to an outside registry',
    () => ({}),
    { state: 'ok', message: expect.stringContaining('REGISTRY_STORAGE is not set') },
  ],
  [
    'is missed where it is not mounted',
    () => ({ REGISTRY_STORAGE: path.join(dir.path, 'none') }),
    { state: 'warn', message: expect.stringContaining('does not exist') },
  ],
  [
    'is written on another file system',
    () => ({ REGISTRY_STORAGE: '/dev/shm' }),
    { state: 'ok', message: expect.stringContaining('written there once more') },
  ],
])("the registry's storage %s", async (_, settings, finding) => {
  const { about } = await diagnosis(settings());
  expect(about('registry storage')).toMatchObject([finding]);
  expect(await readdir(dir.path)).not.toContainEqual(expect.stringContaining('doctor'));
});

it('every unreachable dependency is reported with advice, and the other checks still run', async () => {
  const { findings, about } = await diagnosis({
    DATABASE_URL: 'postgresql://nobody:pw@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    REGISTRY_URL: 'http://127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1:1',
  });
  for (const name of ['database', 'redis', 'registry', 'public address'])
    expect(about(name), name).toEqual([
      {
        about: name,
        state: 'fail',
        message: expect.any(String),
        advice: expect.stringMatching(/\w/),
      },
    ]);
  expect(about('data directory')[0]?.state).toBe('ok');
  expect(JSON.stringify(findings)).not.toContain('nobody:pw');
});

it('a registry without authentication is reported, and so is one that refuses our credentials', async () => {
  await using open = await startRegistry();
  expect((await diagnosis({ REGISTRY_URL: open.url })).about('registry')[1]).toMatchObject({
    state: 'warn',
    message: 'every account of this machine may change all images',
  });
  const refused = await diagnosis({
    REGISTRY_URL: registry.loginUrl.replace(':let-me-in@', ':wrong@'),
  });
  expect(refused.about('registry')[0]).toMatchObject({ state: 'fail' });
  const { about, findings } = await diagnosis();
  expect(about('registry')).toEqual([
    { about: 'registry', state: 'ok', message: expect.stringContaining(registry.host) },
  ]);
  expect(JSON.stringify([...refused.findings, ...findings])).not.toMatch(/let-me-in|wrong/);
});

it('a database without our tables must be migrated', async () => {
  await using empty = await startPostgres();
  const { about } = await diagnosis({ DATABASE_URL: empty.url });
  expect(about('database')[1]).toMatchObject({
    state: 'fail',
    advice: expect.stringContaining('portcullis migrate'),
  });
});

it('a secret key that does not match stored secrets is reported, and so is a key file that other accounts can read', async () => {
  const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  await store.registries.insert({ name: 'r', host: 'h', username: 'u', password: 'p' });
  await store.close();
  const file = path.join(dir.path, 'secret.key');
  await writeFile(file, 'c'.repeat(64));
  await chmod(file, 0o644);
  const { about } = await diagnosis();
  expect(about('secret key').map(({ state, message }) => [state, message])).toEqual([
    ['warn', `${file} can be read by others`],
    ['fail', '1 stored secret(s) were encrypted with another key'],
  ]);
  const fits = await diagnosis({ SECRET_KEY: '01'.repeat(32) });
  expect(fits.about('secret key').at(-1)?.state).toBe('ok');
});

it('a reverse proxy that does not forward /v2 is detected', async () => {
  const proxy = createServer((request, response) => {
    response.statusCode = request.url === '/api/health' ? 200 : 404;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { about } = await diagnosis({ PUBLIC_URL: `http://127.0.0.1:${port}` });
  proxy.close();
  expect(about('public address').map(({ state }) => state)).toEqual(['ok', 'fail']);
});
