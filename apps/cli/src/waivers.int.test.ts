/** `portcullis waivers` on a real database and Redis. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recent } from '@portcullis/events';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  pushImage,
  randomImage,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

let database: TestDatabase;
let redis: TestServer;
let connection: Redis;
let dir: TemporaryDir;
let store: Store;
let env: Record<string, string>;

beforeAll(async () => {
  [database, redis, dir] = await Promise.all([createDatabase(), startRedis(), temporaryDir()]);
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  connection = openRedis(redis.url, { mode: 'patient' });
  await redisReady(connection);
  env = { DATABASE_URL: database.url, REDIS_URL: redis.url, DATA_DIR: dir.path };
  const account = (username: string, rights: object = {}) =>
    store.users.insert({ username, passwordHash: null, ...rights });
  const dev = await account('dev');
  await account('rita', { canBypassVulnBlock: true });
  await account('boss', { isAdmin: true });
  const group = await store.groups.insertGroup({ name: 'crew' });
  await store.groups.addMember(group.id, dev.id);
  const folder = await store.folders.insertFolder({ name: 'team' });
  const rights = { canPull: true, canPush: true, canPullExternal: false, canPushExternal: false };
  await store.folders.grant(folder.id, group.id, rights);
});
afterAll(async () => {
  connection?.disconnect();
  await store?.close();
  await Promise.all([database?.stop(), redis?.stop(), dir?.remove()]);
});

const waivers = (...words: string[]) => callCli(['waivers', ...words], { env });

async function requested(account: string, ...more: string[]): Promise<string> {
  const words = ['request', 'CVE-2026-1', '--account', account, '--reason', 'none', '--json'];
  const { out } = await waivers(...words, ...more);
  return JSON.parse(out).id;
}

it('a waiver is requested, approved by another account, listed and revoked', async () => {
  expect(await runCli(['waivers', 'list'], { env })).toEqual({
    ...{ code: 0, out: 'There is no such waiver.\n', err: '' },
  });
  const id = await requested('dev', '--folder', 'team');
  expect(await waivers('approve', id, '--account', 'rita')).toMatchObject({ code: 0 });
  expect((await waivers('list', '--state', 'approved')).out).toContain(
    `${id}  approved  CVE-2026-1 (folder team)`,
  );
  expect(await store.waivers.inForce(new Date())).toMatchObject([{ id }]);
  const other = await requested('dev', '--folder', 'team', '--days', '5');
  const sorted = JSON.parse((await waivers('list', '--sort=-expires_at', '--json')).out);
  expect(sorted.waivers.map((each: { id: string }) => each.id)).toEqual([id, other]);
  expect(await waivers('list', '--sort', 'reason')).toMatchObject({ code: 2 });
  expect(await waivers('revoke', id, '--account', 'dev')).toMatchObject({ code: 0 });
  const events = (await recent(connection, 20)).filter(({ resource }) => resource?.id === id);
  expect(
    events.map(({ event, actor, detail }) => [event, actor.name, detail.account]).toSorted(),
  ).toEqual([
    ['waiver.approved', 'cli', 'rita'],
    ['waiver.requested', 'cli', 'dev'],
    ['waiver.revoked', 'cli', 'dev'],
  ]);
});

it('each action has only the rights of its account, and none approves its own request', async () => {
  const [own, others] = [await requested('boss'), await requested('dev', '--folder', 'team')];
  const refused: [string[], string][] = [
    [['approve', own, '--account', 'boss'], 'Another account has to approve'],
    [['approve', others, '--account', 'dev'], 'needs can_bypass_vuln_block'],
    [['reject', others, '--account', 'dev', '--reason', 'no'], 'needs can_bypass_vuln_block'],
    [['request', 'CVE-2026-1', '--account', 'dev', '--reason', 'none'], 'name a folder'],
    [['approve', others], 'name the account'],
    [['approve', others, '--account', 'nobody'], 'no account nobody'],
  ];
  for (const [words, message] of refused) {
    const result = await waivers(...words);
    expect(result.code, words.join(' ')).not.toBe(0);
    expect(result.err).toContain(message);
  }
  expect((await store.waivers.get(own)).state).toBe('requested');
  expect((await store.waivers.get(others)).state).toBe('requested');
});

it.each([
  ['no reason', ['--folder', 'team'], 'reason'],
  ['a term that is none', ['--reason', 'x', '--digest', 'sha256:a'], 'digest'],
  ['too many days', ['--reason', 'x', '--days', '366'], '--days'],
])('a request with %s is refused, naming the field', async (_, words, message) => {
  const result = await waivers('request', 'CVE-2026-2', '--account', 'boss', ...words);
  expect(result.code).not.toBe(0);
  expect(result.err).toContain(message);
});

it('an OpenVEX document is imported once; what is skipped is printed with its reason', async () => {
  const file = path.join(dir.path, 'vex.json');
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    ...{ '@id': 'https://vendor.example/vex/1', author: 'Vendor', version: 1 },
    timestamp: '2026-11-22T00:00:00Z',
    statements: [
      {
        vulnerability: { name: 'CVE-2026-7' },
        products: [{ '@id': `sha256:${'a'.repeat(64)}` }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_present',
        impact_statement: 'not built in',
      },
      { vulnerability: { name: 'CVE-2026-8' }, status: 'fixed' },
    ],
  };
  await writeFile(file, JSON.stringify(document));
  const imported = (account: string) =>
    waivers('import-vex', file, '--account', account, '--folder', 'team');
  expect(await imported('dev')).toMatchObject({
    code: 0,
    out: '1 waivers were requested, 1 statements were skipped\nstatement 1: FIXED\n',
  });
  expect((await imported('dev')).out).toContain('statement 0: ALREADY_REQUESTED');
  expect((await waivers('import-vex', file, '--account', 'dev')).err).toContain('name a folder');
  await writeFile(file, '{}');
  expect((await imported('dev')).err).toContain('is no OpenVEX document: @context');
});

it('the waivers in force of an image or a folder are exported as OpenVEX, by digest or tag', async () => {
  await using registry = await startRegistry();
  const image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  await pushImage(registry.url, 'team/app', '1', image);
  const word = ['request', 'CVE-2026-9', '--account', 'dev', '--reason', 'unreachable', '--json'];
  const { out } = await waivers(...word, '--folder', 'team', '--repository', 'team/*');
  const { id } = JSON.parse(out);
  const exported = (...words: string[]) =>
    callCli(['waivers', 'export-vex', ...words], { env: { ...env, REGISTRY_URL: registry.url } });
  const byDigest = `team/app@${image.digest}`;
  expect(await exported(byDigest)).toMatchObject({
    code: 1,
    err: expect.stringContaining('No waiver in force covers this.'),
  });
  await waivers('approve', id, '--account', 'rita');
  for (const name of [byDigest, 'team/app:1', `localhost:8080/${byDigest}`]) {
    const result = await exported(name);
    expect(result, name).toMatchObject({ code: 0 });
    expect(JSON.parse(result.out), name).toMatchObject({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [
        {
          vulnerability: { name: 'CVE-2026-9' },
          products: [{ hashes: { 'sha-256': image.digest.slice('sha256:'.length) } }],
          status: 'affected',
        },
      ],
    });
  }
});

it.each([
  ['neither an image nor a folder', [], 'usage: portcullis waivers export-vex'],
  ['both', ['team/app:1', '--folder', 'team'], 'usage: portcullis waivers export-vex'],
  ['an unknown folder', ['--folder', 'nowhere'], 'there is no folder nowhere'],
  ['a tag where no registry is configured', ['team/app:1'], 'REGISTRY_URL'],
])('an export of %s is refused', async (_, words, message) => {
  const result = await waivers('export-vex', ...words);
  expect(result.code).not.toBe(0);
  expect(result.err).toContain(message);
});
