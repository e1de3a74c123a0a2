/**
 * The chart with a separate directory per worker (`data.mode` perWorker or ephemeral), on its pods
 * as rendered: a batch, a worker that is lost with its disk, an upgrade, garbage collection, a
 * backup and a restore.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  debianImage,
  openSql,
  PATIENCE_MS,
  pushImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN } from '../support/developer.ts';
import { expectKept, fill, fillUpstream, type Upstream } from '../support/kept.ts';
import { bodyOf, type Call, logIn, settled, until } from '../support/product.ts';
import type { KubeObject } from './kube/manifest.ts';
import type { Pod } from './kube/pod.ts';
import { type KubeProduct, modeOf, startKube } from './kube/product.ts';

const MODE = modeOf(process.env.PRODUCT) ?? 'perWorker';
const COUNT = 18;
/** A lost storage is detected after a minute and a half. */
const LOST_MS = 3 * PATIENCE_MS;

const MANIFESTS =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json';

let registry: TestRegistry;
let upstream: Upstream;
let product: KubeProduct;
let images: TestImage[];
let kept: string;
let admin: Call;
let staged: string[] = [];

beforeAll(async () => {
  registry = await startRegistry();
  upstream = await fillUpstream(registry);
  images = await Promise.all(
    Array.from({ length: COUNT }, (_, n) =>
      debianImage({ packages: [{ name: 'tzdata', version: `2024a-0+deb12u${n}` }] }),
    ),
  );
  for (const [n, image] of images.entries())
    await pushImage(registry.url, `batch/image-${n}`, '1', image);
  product = await startKube(upstream.settings, registry, MODE);
  kept = await fill(product, upstream);
  admin = await logIn(product, ...ADMIN);
});

afterAll(async () => {
  await product?.stop();
  await registry?.stop();
});

function workers(): Pod[] {
  return product.cluster.pods('worker');
}

async function storageOf(pod: Pod): Promise<string> {
  return (await readFile(path.join(pod.folderOf('data'), 'storage-id'), 'utf8')).trim();
}

function has(pod: Pod, job: string): boolean {
  return existsSync(path.join(pod.folderOf('data'), 'cache', 'staging', job));
}

async function ordered(): Promise<string[]> {
  const host = product.upstreamHost ?? '';
  const saved = await bodyOf(admin('GET', '/api/registries'));
  const { id } = saved.find((each: { host: string }) => each.host === host);
  const made = images.map((_, n) =>
    admin('POST', '/api/staging/pull', {
      image: `batch/image-${n}`,
      tag: '1',
      source_registry_id: id,
    }),
  );
  return (await Promise.all(made)).map(({ status, body }) => {
    expect(status, JSON.stringify(body)).toBe(202);
    return body.job_id;
  });
}

async function expectStaged(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    expect(await settled(admin, id, LOST_MS)).toMatchObject({ status: 'staged' });
}

/** Pushes each image and compares the result with the other registry's content. */
async function expectPushed(ids: readonly string[], family: string): Promise<void> {
  const targets = ids.map((job_id, n) => ({
    job_id,
    folder: 'team',
    target_image: `${family}-${n}`,
  }));
  for (const each of targets) {
    const { status, body } = await admin('POST', '/api/staging/push', { ...each, target_tag: '1' });
    expect(status, JSON.stringify(body)).toBe(202);
  }
  for (const [n, { job_id, target_image }] of targets.entries()) {
    let job: unknown;
    await until(
      async () => {
        const { status, body } = await admin('GET', `/api/staging/jobs/${job_id}`);
        job = body;
        return status === 200 && body.status === 'pushed';
      },
      () => JSON.stringify(job),
      LOST_MS,
    );
    await expectServed(`team/${target_image}`, images[n]?.digest);
  }
}

async function expectServed(repository: string, digest: string | undefined): Promise<void> {
  const credentials = Buffer.from(ADMIN.join(':')).toString('base64');
  const answer = await fetch(`${product.url}/v2/${repository}/manifests/1`, {
    headers: { authorization: `Basic ${credentials}`, accept: MANIFESTS },
  });
  const text = await answer.text();
  const found = answer.headers.get('docker-content-digest');
  expect([answer.status, found], text).toEqual([200, digest]);
}

function oneOf(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

it("helm's test succeeds when everything answers", async () => {
  const objects = await product.render();
  const testOutput = async () => product.cluster.test(objects).catch((error) => String(error));
  await until(
    async () => (await testOutput()).startsWith('200'),
    () => 'the test does not pass',
  );
});

it('a batch is spread over workers with separate directories', async () => {
  expect(new Set(await Promise.all(workers().map(storageOf))).size).toBe(3);
  staged = await ordered();
  await expectStaged(staged);
  const held = staged.map((id) => workers().filter((pod) => has(pod, id)).length);
  expect(held).toEqual(staged.map(() => 1));
  expect(workers().filter((pod) => staged.some((id) => has(pod, id))).length).toBeGreaterThan(1);
});

it('an upgrade replaces the workers, and staged images can be pushed', async () => {
  const before = await Promise.all(workers().map(storageOf));
  const names = workers().map(({ name }) => name);
  await product.upgrade({ worker: { podAnnotations: { changed: 'yes' } } });
  expect(workers().filter(({ name }) => names.includes(name))).toEqual([]);
  const after = await Promise.all(workers().map(storageOf));
  const isSame = after.toSorted().join() === before.toSorted().join();
  expect(isSame).toBe(MODE === 'perWorker');
  await expectPushed(staged, 'upgraded');
});

it('a worker is lost with its disk in the middle of a batch, and no job of the batch is lost', async () => {
  const ids = await ordered();
  const victim = workers()[0];
  if (victim === undefined) throw new Error('no worker runs');
  await until(() => ids.some((id) => has(victim, id)));
  await product.cluster.loseNode(victim);
  expect(workers()).toHaveLength(3);
  await expectStaged(ids);
  await expectPushed(ids, 'lost');
});

it("the registry's garbage is collected", async () => {
  const deleted = await admin(
    'DELETE',
    '/api/images/__local__/tags?repository=team%2Flost-0&tag=1',
  );
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
  const started = await admin('POST', '/api/system/gc', { delete_untagged: true });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  let run: { state?: string; bytes_freed?: number } = {};
  await until(
    async () => {
      const { status, body } = await admin('GET', '/api/system/gc');
      run = body;
      return status === 200 && body.state !== 'running';
    },
    () => JSON.stringify(run),
    2 * PATIENCE_MS,
  );
  expect(run).toMatchObject({ state: 'done', error: null });
});

it('a backup is restored into empty volumes, and staged images are pushed from their source again', async () => {
  const { cluster } = product;
  staged = await ordered();
  await expectStaged(staged);
  const objects = await product.render({});
  await cluster.runCronJob(oneOf(objects, 'CronJob', 'portcullis-backup'));
  const [file] = await readdir(cluster.folderOf('portcullis-backups'));
  await cluster.scale(0);
  if (MODE === 'perWorker') {
    const claims = [
      'portcullis-registry',
      ...[0, 1, 2].map((n) => `data-portcullis-worker-all-${n}`),
    ];
    for (const folder of claims.map(cluster.folderOf))
      for (const each of await readdir(folder))
        await rm(path.join(folder, each), { recursive: true });
  }
  const database = await openSql(await product.databaseUrl());
  await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await database.end();
  const rendered = await product.render({ restore: { file } }, '-s', 'templates/restore.yaml');
  expect(await cluster.runJob(oneOf(rendered, 'Job', 'portcullis-restore'))).toContain(
    'is in place',
  );
  await cluster.scale(null);
  admin = await logIn(product, ...ADMIN);
  await expectKept(product, upstream, kept);
  await expectPushed(staged, 'restored');
});

it('everything ends in good order, and no process is left', async () => {
  await product.stop();
  expect(product.cluster.faults()).toEqual([]);
  expect(await product.running()).toEqual([]);
});
