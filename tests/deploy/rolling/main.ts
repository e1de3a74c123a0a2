/**
 * `npm run rolling`: an upgrade without downtime. An earlier release runs with data; the database
 * is migrated while it runs; both releases serve side by side and share the work; then the earlier
 * one ends, and all requested work is complete. `--from <commit>` names another earlier release
 * than the first commit with the tables of 0.1.0.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  debianImage,
  fetchManifest,
  pushImage,
  serveVulnerabilityDb,
  startPostgres,
  startRedis,
  startRegistry,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { type Call, logIn, settled } from '../../support/product.ts';
import { migrate, type Release, type Running, startRelease } from './processes.ts';
import { checkOutRelease, firstCommit, ROOT } from './release.ts';

const ADMIN_PASSWORD = 'a long enough password';
const ORDERS = 6;

const { values } = parseArgs({
  options: { from: { type: 'string', default: await firstCommit() } },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

await using dir = await temporaryDir();
await using postgres = await startPostgres();
await using redis = await startRedis();
await using registry = await startRegistry();
await using upstream = await startRegistry();

const earlier: Release = { name: values.from.slice(0, 12), tree: path.join(dir.path, 'earlier') };
const present: Release = { name: 'this release', tree: ROOT };
print(`installing ${earlier.name}`);
await mkdir(earlier.tree);
await checkOutRelease(values.from, earlier.tree);

const env = {
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  REGISTRY_URL: registry.url,
  DATA_DIR: path.join(dir.path, 'data'),
  SECRET_KEY: 'c2VjcmV0IGtleSBvZiB0aGlydHktdHdvIGJ5dGVzISE=',
  ADMIN_PASSWORD,
  RATE_LIMIT_ENABLED: 'false',
  EGRESS_ALLOW: '127.0.0.1',
  TRIVY_PATH: await testTrivy(),
  TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
  TRIVY_JAVA_DB_ENABLED: 'false',
};
await mkdir(env.DATA_DIR, { mode: 0o700 });
await publish();

print(`${earlier.name} makes its tables and serves`);
await migrate(earlier, env);
await using old = await startRelease(earlier, env);
const atOld = await logIn(old, 'admin', ADMIN_PASSWORD);
await expectStatus(atOld('POST', '/api/folders', { name: 'team' }), 201);
await order(atOld, 'before', [0, 1]);

print('this release migrates the database beneath it');
await migrate(present, env);
await order(atOld, 'migrated', [2]);

print('both serve side by side');
await using fresh = await startRelease(present, env);
const atFresh = await logIn(fresh, 'admin', ADMIN_PASSWORD);
await Promise.all([order(atOld, 'beside-old', [0, 3, 4]), order(atFresh, 'beside-new', [1, 2, 5])]);
await assertCompatible(old, fresh);

print(`${earlier.name} ends`);
await old.stop();
await order(atFresh, 'after', [3]);
await fresh.stop();
print('passed: nothing was lost, and each release read what the other wrote');

async function publish(): Promise<void> {
  for (let number = 0; number < ORDERS; number++) {
    const packages = [{ name: 'tzdata', version: `2024a-0+deb12u${number}` }];
    await pushImage(upstream.url, `source/image-${number}`, 'v1', await debianImage({ packages }));
  }
}

/** Pulls, scans and pushes images through one api; any free worker takes each stage. */
async function order(call: Call, name: string, numbers: number[]): Promise<void> {
  await Promise.all(
    numbers.map(async (number) => {
      const image = {
        image: `source/image-${number}`,
        tag: 'v1',
        source_registry_host: upstream.host,
      };
      const { job_id } = await expectStatus(call('POST', '/api/staging/pull', image), 202);
      await expectState(call, job_id, 'staged');
      const target = {
        job_id,
        folder: 'team',
        target_image: `${name}-${number}`,
        target_tag: 'v1',
      };
      await expectStatus(call('POST', '/api/staging/push', target), 202);
      await expectState(call, job_id, 'pushed');
      const [there, here] = await Promise.all([
        fetchManifest(upstream.url, `source/image-${number}`, 'v1'),
        fetchManifest(registry.url, `team/${name}-${number}`, 'v1'),
      ]);
      if (!there.body.equals(here.body))
        throw new Error(`${name}-${number} differs from its source`);
      print(`  ${name}-${number}: pulled, scanned, pushed`);
    }),
  );
}

/** A session of one release is valid in the other, and both list the same jobs. */
async function assertCompatible(one: Running, other: Running): Promise<void> {
  const lists = await Promise.all(
    [one, other].map(async (at) => {
      const jobs = await expectStatus(
        (await logIn(at, 'admin', ADMIN_PASSWORD))('GET', '/api/staging/jobs?limit=200'),
        200,
      );
      return jobs
        .map((job: { job_id: string; status: string }) => `${job.job_id} ${job.status}`)
        .sort();
    }),
  );
  if (JSON.stringify(lists[0]) !== JSON.stringify(lists[1]))
    throw new Error(`${one.name} and ${other.name} list different jobs`);
}

async function expectState(call: Call, id: string, wanted: string): Promise<void> {
  const job = await settled(call, id);
  if (job.status !== wanted)
    throw new Error(`job ${id} is ${job.status}: ${JSON.stringify(job.error)}`);
}

async function expectStatus(response: ReturnType<Call>, expected: number) {
  const { status, body } = await response;
  if (status !== expected)
    throw new Error(`${status} in place of ${expected}: ${JSON.stringify(body)}`);
  return body;
}
