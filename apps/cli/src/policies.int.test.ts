/** `portcullis policies` on a real database and Redis. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recent, watchChanges } from '@portcullis/events';
import { openRedis, type Redis, redisReady, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  startRedis,
  type TemporaryDir,
  type TestDatabase,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
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
});
afterAll(async () => {
  connection?.disconnect();
  await store?.close();
  await Promise.all([database?.stop(), redis?.stop(), dir?.remove()]);
});

const policies = (...words: string[]) => callCli(['policies', ...words], { env });

async function apply(policy: unknown) {
  const file = path.join(dir.path, 'policy.json');
  await writeFile(file, typeof policy === 'string' ? policy : JSON.stringify(policy));
  return policies('apply', file);
}

it('a file creates a policy, changes it, and changes nothing the third time', async () => {
  const seen = vi.fn();
  const watch = watchChanges(connection, seen);
  onTestFinished(() => watch.close());
  await expect.poll(() => watch.live()).toBe(true);
  seen.mockClear();
  const prod = { name: 'prod', rules: [{ severities: ['CRITICAL'] }] };
  expect(await apply(prod)).toMatchObject({ code: 0, out: 'prod: created, version 1\n' });
  const changed = { ...prod, grace_days: 0 };
  expect((await apply(changed)).out).toBe('prod: changed, version 2\n');
  expect((await apply(changed)).out).toBe('prod: unchanged, version 2\n');
  const [policy] = await store.policies.list();
  expect(policy).toMatchObject({ name: 'prod', version: 2, rules: { graceDays: 0 } });
  const events = (await recent(connection, 20)).filter(({ resource }) => resource?.name === 'prod');
  expect(events.map(({ event, actor, detail }) => [event, actor.name, detail])).toEqual(
    expect.arrayContaining([
      ['policy.create', 'cli', expect.objectContaining({ grace_days: 7 })],
      [
        'policy.update',
        'cli',
        expect.objectContaining({
          version: { from: 1, to: 2 },
          grace_days: { from: 7, to: 0 },
        }),
      ],
    ]),
  );
  expect(events).toHaveLength(2);
  expect(seen.mock.calls.filter(([kind]) => kind === 'gate')).toHaveLength(2);
});

it('a policy is listed, and shown as the file that makes it', async () => {
  await apply({ name: 'shown', rules: [{ severities: ['LOW'], min_epss: 0.5 }] });
  const { out } = await policies('show', 'shown');
  expect(JSON.parse(out)).toMatchObject({ name: 'shown', rules: [{ min_epss: 0.5 }] });
  expect((await apply(out)).out).toBe('shown: unchanged, version 1\n');
  const folder = await store.folders.insertFolder({ name: 'team' });
  const [used] = (await store.policies.list()).filter(({ name }) => name === 'shown');
  await store.folders.update(folder.id, { policyId: used?.id ?? '' });
  const listed = await runCli(['policies', 'list'], { env });
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out).toContain('shown: version 1, 1 rules, used by team\n');
});

it.each<[string, unknown, string]>([
  ['not JSON', '{', 'is not JSON'],
  ['a rule without severities', { name: 'x', rules: [{ severities: [] }] }, 'rules.0.severities: '],
  ['an unknown term', { name: 'x', rules: [], block: true }, 'block'],
  ['the default policy', { name: 'default', rules: [] }, 'name: '],
])('a file with %s is refused, and says where', async (_, policy, text) => {
  const { code, err } = await apply(policy);
  expect(code).toBe(1);
  expect(err).toContain(text);
});

it('an unknown policy, and another action, are refused', async () => {
  expect((await policies('show', 'missing')).code).toBe(1);
  expect((await policies('drop', 'shown')).code).toBe(2);
});
