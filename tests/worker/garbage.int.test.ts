import { truncate } from 'node:fs/promises';
import { recent } from '@portcullis/events';
import { createCollectorLock, createWriteLock } from '@portcullis/local-registry';
import {
  blobOf,
  buildArtifact,
  buildImage,
  buildIndex,
  openSql,
  PATIENCE_MS,
  pushBlob,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { expect, it } from 'vitest';
import { blobPath } from '../../packages/local-registry/src/storage/storage.ts';
import {
  collect,
  ended,
  harness,
  has,
  hasBlob,
  startCollector,
  unhurried,
} from './garbage.fixture.ts';

startCollector();

async function remove(repository: string, { digest }: TestImage): Promise<void> {
  const url = `${harness.registry.url}/v2/${repository}/manifests/${digest}`;
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(202);
}

it('deletes the blobs of a deleted image, reports their size, and keeps the others', async () => {
  const { url } = harness.registry;
  const kept = await buildImage({ layers: [{ a: 'kept' }] });
  const gone = await buildImage({ layers: [{ a: 'gone'.repeat(1000) }] });
  await pushImage(url, 'team/app', '1', kept);
  await pushImage(url, 'team/app', '2', gone);
  await remove('team/app', gone);

  const dry = await collect({ dryRun: true });
  expect(dry).toMatchObject({ state: 'done', error: null });
  for (const { descriptor } of gone.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(true);

  const run = await collect();
  expect(run).toMatchObject({ state: 'done', error: null, result: dry?.result });
  const size = gone.bytes.length + gone.blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(run?.result).toEqual({
    blobsDeleted: gone.blobs.length + 1,
    manifestsDeleted: 0,
    bytesFreed: size,
  });
  // A running registry caches which blobs exist; a push would skip a deleted one.
  for (const { descriptor } of gone.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(false);
  for (const { descriptor } of kept.blobs)
    expect(await hasBlob('team/app', descriptor.digest)).toBe(true);
  await pushImage(url, 'team/app', '2', gone);
  expect(await has('team/app', gone)).toBe(true);
  const newest = async () =>
    (await recent(harness.redis, 10)).find((each) => each.event === 'system.gc_finished');
  await expect.poll(newest).toMatchObject({ outcome: 'success', actor: { name: 'root' } });
});

it('untagged manifests are deleted on request with what refers to them; children of a tagged index and its signatures are kept', async () => {
  const { url } = harness.registry;
  const [amd, arm, loose] = [
    await buildImage({ platform: 'linux/amd64', layers: [{ a: 'amd' }] }),
    await buildImage({ platform: 'linux/arm64', layers: [{ a: 'arm' }] }),
    await buildImage({ layers: [{ a: 'loose' }] }),
  ];
  const index = await buildIndex([amd, arm]);
  const signatureOf = ({ descriptor: subject }: Pick<TestImage, 'descriptor'>) =>
    buildArtifact({ subject, artifactType: 'application/x.signature', layers: [] });
  const [signature, stale] = [signatureOf(index), signatureOf(loose)];
  await pushImage(url, 'team/multi', '1', index);
  await pushImage(url, 'team/multi', null, signature);
  await pushImage(url, 'team/multi', null, loose);
  await pushImage(url, 'team/multi', null, stale);

  expect(await collect()).toMatchObject({ state: 'done', result: { manifestsDeleted: 0 } });
  expect(await has('team/multi', loose)).toBe(true);
  expect(await collect({ deleteUntagged: true })).toMatchObject({
    state: 'done',
    result: { manifestsDeleted: 2 },
  });
  for (const image of [loose, stale]) expect(await has('team/multi', image)).toBe(false);
  for (const image of [index, amd, arm, signature])
    expect(await has('team/multi', image)).toBe(true);
  for (const { descriptor } of [...amd.blobs, ...arm.blobs])
    expect(await hasBlob('team/multi', descriptor.digest)).toBe(true);
});

it('a damaged manifest ends no collection: what it listed is kept until it is pushed again', async () => {
  const { store, registry } = harness;
  const repository = 'team/damaged';
  const child = await randomImage();
  const index = buildIndex([child]);
  await pushImage(registry.url, repository, 'index', index);
  const image = await randomImage();
  await pushImage(registry.url, repository, 'image', image);
  for (const [tag, { digest, descriptor, children, blobs }] of [
    ['index', index],
    ['image', image],
  ] as const) {
    const parts = [...children.map((each) => each.descriptor), ...blobs.map((b) => b.descriptor)];
    const contents = parts.map((part) => ({ ...part, isManifest: children.length > 0 }));
    const facts = { artifactType: null, platforms: [], subject: null, contents };
    const manifests = [
      { ...facts, digest, mediaType: descriptor.mediaType, size: descriptor.size },
    ];
    await store.images.record({ repository, tag, digest, manifests, at: new Date() });
    await truncate(blobPath(registry.storageDir, digest), 0);
  }
  const gone = await randomImage();
  await pushImage(registry.url, repository, gone.digest, gone);
  const run = await collect({ deleteUntagged: true });
  expect(run).toMatchObject({ state: 'done', error: null });
  expect(run?.logTail.join(' ')).toContain(`${image.digest} is damaged`);
  expect(await has(repository, gone)).toBe(false);
  expect(await has(repository, child)).toBe(true);
  for (const { descriptor } of [...image.blobs, ...child.blobs])
    expect(await hasBlob(repository, descriptor.digest)).toBe(true);
});

it('untagged images in use are kept: pulled from a mirror by their digest, or running', async () => {
  const { store, registry } = harness;
  const terms = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 30 };
  await store.folders.insertFolder({ name: 'hub', mirror: { registryId: null, ...terms } });
  const push = async (repository: string) => {
    const image = await randomImage();
    await pushImage(registry.url, repository, image.digest, image);
    await store.images.record({
      ...{ repository, tag: null, digest: image.digest, manifests: [], at: new Date() },
    });
    return image;
  };
  const [pulled, unused, never] = [
    await push('hub/app'),
    await push('hub/app'),
    await push('hub/app'),
  ];
  const [runs, ended] = [await push('team/pods'), await push('team/pods')];
  for (const { digest } of [pulled, unused])
    await store.mirrors.used({ repository: 'hub/app', reference: digest });
  const sql = await openSql(harness.databaseUrl);
  await sql.query(
    `UPDATE mirror_tags SET used_at = now() - interval '31 days' WHERE reference = $1`,
    [unused.digest],
  );
  await sql.end();
  const platform = buildIndex([runs]);
  await pushImage(registry.url, 'team/pods', platform.digest, platform);
  const pod = { cluster: 'eu', namespace: 'shop', repository: 'team/pods' };
  await store.runningImages.note([{ ...pod, digest: platform.digest }]);
  expect(await collect({ deleteUntagged: true })).toMatchObject({ state: 'done', error: null });
  for (const image of [pulled]) expect(await has('hub/app', image)).toBe(true);
  for (const image of [platform, runs]) expect(await has('team/pods', image)).toBe(true);
  for (const image of [unused, never]) expect(await has('hub/app', image)).toBe(false);
  expect(await has('team/pods', ended)).toBe(false);
});

it('blobs that a running push relies on are kept, whether it uploaded or found them', async () => {
  const { url } = harness.registry;
  const registryLock = createWriteLock(harness.redis);
  const [relied, other] = [
    blobOf('application/octet-stream', Buffer.from('relied on')),
    blobOf('application/octet-stream', Buffer.from('not any more')),
  ];
  for (const blob of [relied, other]) {
    await pushBlob(url, 'team/push', blob);
    await registryLock.needs('team/push', [blob.descriptor.digest]);
  }
  await registryLock.settled('team/push', [other.descriptor.digest]);
  expect(await collect({ deleteUntagged: true })).toMatchObject({ state: 'done' });
  expect(await hasBlob('team/push', relied.descriptor.digest)).toBe(true);
  expect(await hasBlob('team/push', other.descriptor.digest)).toBe(false);
});

it('running writes are waited for; new ones wait for a moment and are then let in', async () => {
  const registryLock = createWriteLock(harness.redis, { patienceMs: 300 });
  const written = Promise.withResolvers<void>();
  const writing = registryLock.write(() => written.promise);
  await harness.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'root' });
  await expect
    .poll(() => registryLock.write(async () => 'let in').catch(({ code }) => code))
    .toBe('REGISTRY_COLLECTING');
  expect(await harness.store.maintenance.latest('gc')).toMatchObject({ state: 'running' });
  const waiting = createWriteLock(harness.redis, { patienceMs: PATIENCE_MS });
  expect(await waiting.write(async () => 'let in')).toBe('let in');
  // One at a time.
  expect(
    await harness.store.maintenance.request({ kind: 'gc', options: {}, requestedBy: 'x' }),
  ).toBeNull();
  written.resolve();
  await writing;
  expect(await ended()).toMatchObject({ state: 'done' });
  expect(await registryLock.write(async () => 'let in')).toBe('let in');
});

it('a lost write lock aborts the deletion', async () => {
  const closed = await createCollectorLock(harness.redis).close(unhurried());
  await harness.redis.del('portcullis:registry-gate:closed');
  await expect.poll(() => closed.lost.aborted).toBe(true);
  await closed[Symbol.asyncDispose]();
});
