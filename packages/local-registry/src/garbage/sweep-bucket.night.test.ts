/** O16: garbage collection in a bucket, by the same rules as in a directory. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acquireRegistry } from '@portcullis/embedded';
import {
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  fetchManifest,
  pushBlob,
  pushImage,
  startRegistry,
  startS3,
  type TestRegistry,
  type TestS3,
  temporaryDir,
  testCacheDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  blobFile,
  blobFiles,
  type Recorded,
  repositoriesIn,
  unreachable,
} from '../catalog/stored-manifests.ts';
import { openBucket } from '../storage/bucket.ts';
import { type BucketFiles, bucketFiles } from '../storage/bucket-files.ts';
import { directoryFiles } from '../storage/directory-files.ts';
import type { StorageFiles } from '../storage/storage-files.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { Collected, Collection } from './collection.ts';
import { type BucketCollection, sweepBucket } from './sweep-bucket.ts';

let store: TestS3;
beforeAll(async () => {
  store = await startS3();
});
afterAll(() => store?.stop());

const never = () => new AbortController().signal;

function filesOf(root: string, { signal = never(), secretAccessKey = '' } = {}): BucketFiles {
  const { bucket, region, url: endpoint } = store;
  const credentials = { ...store.credentials, ...(secretAccessKey && { secretAccessKey }) };
  // Small pages, so that every list has several.
  return bucketFiles(
    openBucket({ bucket, region, endpoint, pathStyle: true, credentials, pageSize: 3, signal }),
    root,
  );
}

const sweep = (root: string, more: Partial<BucketCollection> = {}): Promise<Collected> =>
  sweepBucket({
    storage: filesOf(root),
    dryRun: false,
    kept: new Set(),
    signal: never(),
    line: () => {},
    now: () => new Date(),
    ...more,
  });

async function collectDirectory(
  registry: TestRegistry,
  more: Partial<Collection> = {},
): Promise<Collected> {
  await using dir = await temporaryDir();
  const program = await acquireRegistry({ cacheDir: testCacheDir, env: testEnv });
  const collection = {
    dryRun: false,
    kept: new Set<string>(),
    signal: never(),
    line: () => {},
    ...more,
  };
  return await collectGarbage({
    ...collection,
    storageDir: registry.storageDir,
    workDir: dir.path,
    program,
  });
}

const overBucket = (root: string) => startRegistry({ storage: { ...store.storage, root } });
const objectFile = (root: string, file: string) =>
  path.join(store.bucketDir, root, 'docker/registry/v2', file);

function writeObject(root: string, file: string, bytes: string): void {
  mkdirSync(path.dirname(objectFile(root, file)), { recursive: true });
  writeFileSync(objectFile(root, file), bytes);
}

async function send(
  url: string,
  method: string,
  to: string,
  init: RequestInit = {},
): Promise<Response> {
  const answer = await fetch(new URL(to, url), { ...init, method });
  expect(answer.ok, `${method} ${to}: ${answer.status}`).toBe(true);
  return answer;
}

it('a directory and a bucket keep and lose the same blobs', async () => {
  await using directory = await startRegistry();
  await using bucket = await overBucket('same');
  const [kept, other] = [
    await buildImage({ layers: [{ a: 'kept' }] }),
    await buildImage({ layers: [{ b: 'other' }] }),
  ];
  const [child, gone] = [
    await buildImage({ layers: [{ c: 'child' }] }),
    await buildImage({ layers: [{ d: 'gone' }] }),
  ];
  // A mirror has not brought in all of its platforms.
  const absent = await buildImage({ layers: [{ f: 'absent' }] });
  const index = { ...buildIndex([child, absent]), children: [child] };
  const loose = await buildImage({ layers: [{ e: 'loose' }] });
  const signature = buildArtifact({
    subject: index.descriptor,
    layers: [{ mediaType: 'application/x.s', bytes: Buffer.from('signed') }],
  });
  const layer = randomBytes(1000);
  const sha512 = `sha512:${createHash('sha512').update(layer).digest('hex')}`;
  const relied = blobOf('application/octet-stream', Buffer.from('relied on'));
  for (const { url } of [directory, bucket]) {
    await pushImage(url, 'team/app', '1', kept);
    await pushImage(url, 'team/deep/er', '1', other);
    await pushImage(url, 'team/app', 'gone', gone);
    await pushImage(url, 'team', 'index', index);
    await pushImage(url, 'team', null, signature);
    await pushImage(url, 'team', null, loose);
    await pushBlob(url, 'team/app', relied);
    await pushBlob(url, 'team/app', blobOf('application/octet-stream', Buffer.from('garbage')));
    const started = await send(url, 'POST', '/v2/team/app/blobs/uploads/');
    await send(url, 'PUT', `${started.headers.get('location')}&digest=${sha512}`, { body: layer });
    await send(url, 'DELETE', `/v2/team/app/manifests/${gone.digest}`);
  }
  const [inDirectory, inBucket] = [directoryFiles(directory.storageDir), filesOf('same')];
  const repositories = async (files: StorageFiles) => {
    const names: string[] = [];
    for await (const name of repositoriesIn(files)) names.push(name);
    return names.sort();
  };
  expect(await repositories(inBucket)).toEqual(['team', 'team/app', 'team/deep/er']);
  expect(await repositories(inDirectory)).toEqual(await repositories(inBucket));
  for (const repository of ['team', 'team/app', 'team/deep/er'])
    expect(await unreachable(inBucket, repository, { kept: new Set() })).toEqual(
      await unreachable(inDirectory, repository, { kept: new Set() }),
    );
  expect(await unreachable(inBucket, 'team', { kept: new Set() })).toEqual([loose.digest]);

  const rules = { kept: new Set([relied.descriptor.digest]) };
  const dry = await sweep('same', { ...rules, dryRun: true });
  expect(dry).toEqual(await collectDirectory(directory, { ...rules, dryRun: true }));
  expect(dry.blobs).toBe(gone.blobs.length + 2);
  expect((await blobFiles(inBucket)).size).toBe((await blobFiles(inDirectory)).size);

  expect(await sweep('same', rules)).toEqual(dry);
  expect(await collectDirectory(directory, rules)).toEqual(dry);
  const digests = async (files: typeof inDirectory) => [...(await blobFiles(files)).keys()].sort();
  expect(await digests(inBucket)).toEqual(await digests(inDirectory));
  expect(await sweep('same', rules)).toEqual({ blobs: 0, bytes: 0 });
  // The running registry is unaffected: nothing is missing, and what was collected can be pushed
  // again.
  expect((await fetchManifest(bucket.url, 'team', signature.digest)).status).toBe(200);
  await pushImage(bucket.url, 'team/app', 'again', gone);
  expect((await fetchManifest(bucket.url, 'team/app', 'again')).status).toBe(200);
});

it('blobs written in a period with unknown pins are kept', async () => {
  await using registry = await overBucket('between');
  const blob = blobOf('application/octet-stream', Buffer.from('young'));
  await pushBlob(registry.url, 'team/app', blob);
  const hour = 3_600_000;
  const young = { from: new Date(Date.now() - hour), to: new Date(Date.now() + hour) };
  expect(await sweep('between', { keptBetween: young })).toEqual({ blobs: 0, bytes: 0 });
  const old = { from: new Date(0), to: new Date(Date.now() - hour) };
  expect(await sweep('between', { keptBetween: old })).toEqual({ blobs: 1, bytes: 5 });
});

it('a manifest that cannot be parsed may reference anything: nothing is deleted', async () => {
  await using registry = await overBucket('broken');
  await pushBlob(
    registry.url,
    'team/app',
    blobOf('application/octet-stream', Buffer.from('garbage')),
  );
  const encoded = createHash('sha256').update('{').digest('hex');
  writeObject('broken', `blobs/sha256/${encoded.slice(0, 2)}/${encoded}/data`, '{');
  writeObject(
    'broken',
    `repositories/team/app/_manifests/revisions/sha256/${encoded}/link`,
    `sha256:${encoded}`,
  );
  await expect(sweep('broken')).rejects.toMatchObject({ code: 'GC_FAILED' });
  expect((await blobFiles(filesOf('broken'))).size).toBe(2);
});

it('of a damaged manifest what the index of images has of it stays, and its children', async () => {
  await using registry = await overBucket('damaged');
  const child = await buildImage({ layers: [{ a: 'child' }] });
  const index = buildIndex([child]);
  await pushImage(registry.url, 'team', 'index', index);
  writeObject('damaged', blobFile(index.digest), '');
  const recorded: Recorded = async (_, digest) =>
    digest === index.digest ? [{ digest: child.digest, isManifest: true }] : null;
  const files = filesOf('damaged');
  expect(await unreachable(files, 'team', { kept: new Set(), recorded })).toEqual([]);
  expect(await sweep('damaged', { recorded })).toEqual({ blobs: 0, bytes: 0 });
  for (const unknown of [undefined, async () => null, async () => []])
    await expect(sweep('damaged', { recorded: unknown })).rejects.toMatchObject({
      code: 'GC_FAILED',
    });
});

it('layers of Docker schema 1 manifests stay', async () => {
  await using registry = await overBucket('schema1');
  const layer = blobOf('application/octet-stream', Buffer.from('layer'));
  await pushBlob(registry.url, 'team/app', layer);
  const text = JSON.stringify({
    schemaVersion: 1,
    fsLayers: [{ blobSum: layer.descriptor.digest }],
  });
  const encoded = createHash('sha256').update(text).digest('hex');
  writeObject('schema1', `blobs/sha256/${encoded.slice(0, 2)}/${encoded}/data`, text);
  writeObject(
    'schema1',
    `repositories/team/app/_manifests/revisions/sha256/${encoded}/link`,
    `sha256:${encoded}`,
  );
  expect(await sweep('schema1')).toEqual({ blobs: 0, bytes: 0 });
});

it('an unfinished upload is removed after a week, a younger one stays', async () => {
  await using registry = await overBucket('uploads');
  const young = await send(registry.url, 'POST', '/v2/team/app/blobs/uploads/');
  const old = await send(registry.url, 'POST', '/v2/team/app/blobs/uploads/');
  // A repository exists once it has a manifest.
  await pushImage(registry.url, 'team/app', '1', await buildImage({ layers: [{ a: 'a' }] }));
  const at = Date.now() / 1000 - 8 * 24 * 3600;
  const upload = objectFile(
    'uploads',
    `repositories/team/app/_uploads/${old.headers.get('docker-upload-uuid')}`,
  );
  for (const file of readdirSync(upload, { recursive: true, encoding: 'utf8' }))
    utimesSync(path.join(upload, file), at, at);
  const startedAt = path.join(upload, 'startedat');
  await sweep('uploads', { dryRun: true });
  expect(existsSync(startedAt)).toBe(true);
  await sweep('uploads');
  expect(existsSync(startedAt)).toBe(false);
  await send(registry.url, 'GET', young.headers.get('location') ?? '');
  expect((await fetch(new URL(old.headers.get('location') ?? '', registry.url))).status).toBe(404);
});

it('an aborted collection deletes nothing more', async () => {
  for (let n = 0; n < 600; n++) {
    const encoded = createHash('sha256').update(`garbage ${n}`).digest('hex');
    writeObject('aborted', `blobs/sha256/${encoded.slice(0, 2)}/${encoded}/data`, 'x');
  }
  const abort = new AbortController();
  const storage = filesOf('aborted', { signal: abort.signal });
  const stopping: BucketFiles = {
    ...storage,
    async remove(paths) {
      await storage.remove(paths);
      abort.abort(new Error('the gate was lost'));
    },
  };
  await expect(sweep('aborted', { storage: stopping, signal: abort.signal })).rejects.toThrow(
    'the gate was lost',
  );
  const left = (await blobFiles(filesOf('aborted'))).size;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(600);
  expect(await sweep('aborted')).toEqual({ blobs: left, bytes: left });
});

it.each([
  [
    'a wrong key',
    () => filesOf('any', { secretAccessKey: 'a-wrong-secret' }),
    'SignatureDoesNotMatch',
  ],
  [
    'a bucket that is not there',
    () => {
      const options = {
        bucket: 'none',
        region: store.region,
        endpoint: store.url,
        pathStyle: true,
      };
      return bucketFiles(
        openBucket({ ...options, credentials: store.credentials, signal: never() }),
      );
    },
    'NoSuchBucket',
  ],
])('%s is reported without a secret', async (_, storage, code) => {
  const failed = await sweep('any', { storage: storage() }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining(code) });
  expect(String(failed)).not.toMatch(/a-wrong-secret|only-for-the-tests/);
  const read = await storage()
    .read('blobs/x')
    .catch((error: unknown) => error);
  expect(read).toMatchObject({ code: 'STORE_FAILED' });
});
