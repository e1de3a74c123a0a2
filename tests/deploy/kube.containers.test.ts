/**
 * Operation of the chart after the installation, on its pods as rendered: upgrades, `helm test`,
 * backup and restore.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { blobOf, openSql, pushBlob, startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAwaited } from '../support/awaited.ts';
import { ADMIN } from '../support/developer.ts';
import { expectKept, fill, fillUpstream, type Upstream } from '../support/kept.ts';
import { bodyOf, logIn, until } from '../support/product.ts';
import type { KubeObject } from './kube/manifest.ts';
import { type KubeProduct, startKube } from './kube/product.ts';

const RESTORE = 'templates/restore.yaml';

let registry: TestRegistry;
let upstream: Upstream;
let product: KubeProduct;
let job: string;

beforeAll(async () => {
  registry = await startRegistry();
  upstream = await fillUpstream(registry);
  product = await startKube(upstream.settings, registry, 'shared');
  job = await fill(product, upstream);
});

afterAll(async () => {
  await product?.stop();
  await registry?.stop();
});

function names(component: string): string[] {
  return product.cluster
    .pods(component)
    .map(({ name }) => name)
    .sort();
}

function oneOf(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** As `helm template --set restore.file=… -s templates/restore.yaml` prints it. */
async function restoreJob(values: Record<string, unknown>): Promise<KubeObject> {
  return oneOf(
    await product.render({ restore: values }, '-s', RESTORE),
    'Job',
    'portcullis-restore',
  );
}

/** On a separate connection: an idle one may be closed just when it is used again. */
async function answers(url: string): Promise<number | undefined> {
  const request = get(url, { agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await answer.resume().toArray();
  return answer.statusCode;
}

/** Repeats the request until stopped. */
function repeated(url: string): { stop(): void; failures: Promise<unknown[]> } {
  let done = false;
  const failures = (async () => {
    const failed: unknown[] = [];
    while (!done) {
      const status = await answers(url).catch(String);
      if (status !== 200) failed.push(status);
    }
    return failed;
  })();
  const stop = () => {
    done = true;
  };
  return { stop, failures };
}

function listensNot(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

async function backups(): Promise<string[]> {
  return (await readdir(product.cluster.folderOf('portcullis-backups'))).sort();
}

it('the migration of the install is in the audit log, although its pod reaches no Redis (O21)', async () => {
  const admin = await logIn(product, ...ADMIN);
  const found = () => bodyOf(admin('GET', '/api/system/audit?q=migrate'));
  await until(async () => (await found()).length > 0);
  expect(await found()).toContainEqual(expect.objectContaining({ event: 'system.migrate' }));
});

it("helm's test succeeds when everything answers", async () => {
  const objects = await product.render();
  const testOutput = async () => product.cluster.test(objects).catch((error) => String(error));
  // The vulnerability database is downloaded after the start.
  await until(
    async () => (await testOutput()).startsWith('200'),
    () => 'the test does not pass',
  );
});

it('an upgrade without changes migrates again, and restarts no pod', async () => {
  const before = ['api', 'worker', 'notifier', 'registry'].map(names);
  await product.upgrade();
  expect(['api', 'worker', 'notifier', 'registry'].map(names)).toEqual(before);
});

it('an upgrade with a changed Secret replaces the pods that use it while requests are served (O36)', async () => {
  const before = { api: names('api'), worker: names('worker'), registry: names('registry') };
  product.cluster.createSecret('portcullis-admin', {
    password: 'another password, which is not used',
  });
  const requests = repeated(`${product.url}/api/health`);
  await product.upgrade().finally(requests.stop);
  expect(await requests.failures).toEqual([]);
  expect(names('api').filter((each) => before.api.includes(each))).toEqual([]);
  expect(names('worker').filter((each) => before.worker.includes(each))).toEqual([]);
  expect(names('registry')).toEqual(before.registry);
  await expectKept(product, upstream, job);
});

it('only the registry is replaced when only it was changed, and its content is served again', async () => {
  const before = { api: names('api'), registry: names('registry') };
  await product.upgrade({ registry: { podAnnotations: { changed: 'yes' } } });
  expect(names('registry')).not.toEqual(before.registry);
  expect(names('api')).toEqual(before.api);
  await expectKept(product, upstream, job);
});

it('a blob that streams while the registry is replaced arrives complete, and no request is refused (O34)', async () => {
  const { cluster } = product;
  const url = `http://${cluster.addressOf('portcullis-registry')}:5000`;
  const blob = blobOf('application/octet-stream', randomBytes(64 * 1024 * 1024));
  await pushBlob(url, 'drained/blob', blob);
  const [old] = cluster.pods('registry');
  if (old === undefined) throw new Error('no registry runs');
  const request = get(`${url}/v2/drained/blob/blobs/${blob.descriptor.digest}`, { agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const requests = repeated(`${url}/v2/`);
  const upgraded = product
    .upgrade({ registry: { podAnnotations: { changed: 'again' } } })
    .finally(requests.stop);
  const received = createHash('sha256');
  let isTerminating = false;
  for await (const chunk of answer) {
    received.update(chunk);
    if (isTerminating) continue;
    // It is terminating, and accepts no more connections.
    await until(() => listensNot(old.ip, old.portOf('registry')));
    isTerminating = true;
  }
  expect(`sha256:${received.digest('hex')}`).toBe(blob.descriptor.digest);
  await upgraded;
  expect(await requests.failures).toEqual([]);
  expect(names('registry')).not.toContain(old.name);
});

it('the CronJob writes a backup and keeps the configured number', async () => {
  const objects = await product.render({ backup: { keep: 2 } });
  const cron = oneOf(objects, 'CronJob', 'portcullis-backup');
  for (let nth = 0; nth < 3; nth++) await product.cluster.runCronJob(cron);
  const kept = await backups();
  expect(kept).toHaveLength(2);
  for (const each of kept) expect(each).toMatch(/^portcullis-\d{8}T\d{6}Z\.tar$/);
});

it('a restore is refused while pods run', async () => {
  const [file] = await backups();
  const refused = product.cluster.runJob(await restoreJob({ file, force: true }));
  await expect(refused).rejects.toThrow('PROCESSES_RUNNING');
});

it('a restore into empty volumes that is killed half-way is completed by the next attempt of its Job (O4)', async () => {
  const file = (await backups()).at(-1);
  const { cluster } = product;
  await cluster.scale(0);
  const data = cluster.folderOf('portcullis-data');
  for (const each of await readdir(data)) await rm(path.join(data, each), { recursive: true });
  const database = await openSql(await product.databaseUrl());
  await database.query(
    'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE in_the_way ()',
  );
  await database.query('BEGIN; LOCK TABLE in_the_way IN ACCESS EXCLUSIVE MODE');
  const tries: string[] = [];
  const restoreOutput = await cluster.runJob(await restoreJob({ file }), (pod) => {
    tries.push(pod.name);
    if (tries.length > 1) return;
    // It has read everything, and waits for the database.
    void until(() => isAwaited(database, 'in_the_way'))
      .then(() => pod.kill())
      .finally(() => database.end());
  });
  expect(tries).toHaveLength(2);
  expect(restoreOutput).toContain('is in place');
  await cluster.scale(null);
  await expectKept(product, upstream, job);
});

it('everything ends in good order, and no process is left', async () => {
  await product.stop();
  const ends = product.output().match(/ended with code \d+/g) ?? [];
  expect(ends.length).toBeGreaterThan(20);
  expect(product.cluster.faults()).toEqual([]);
  expect(await product.running()).toEqual([]);
});
