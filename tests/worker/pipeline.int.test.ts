/** A worker as a process, from queue to registry. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { recent } from '@portcullis/events';
import { contentOf } from '@portcullis/oci';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import {
  buildArtifact,
  buildIndex,
  fetchManifest,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness, pushBy, type WorkerProcess } from './harness.ts';
import { startProxy } from './proxy.ts';

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

async function worker(env?: Record<string, string>) {
  const started = await harness.startWorker(env);
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

async function proxy(...args: Parameters<typeof startProxy>) {
  const started = await startProxy(...args);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

const twoPlatforms = async () =>
  buildIndex([
    await randomImage({ platform: 'linux/amd64', bytes: 50_000 }),
    await randomImage({ platform: 'linux/arm64/v8', bytes: 60_000 }),
  ]);

describe('pull and push', () => {
  let shared: WorkerProcess;
  beforeAll(async () => {
    shared = await harness.startWorker();
  });
  afterAll(() => shared?.kill('SIGTERM'));

  it('an index with two platforms is copied from registry to registry, digest for digest', async () => {
    const image = await twoPlatforms();
    await pushImage(source.url, 'team/app', '1.0', image);
    const job = await harness.submit({ image: 'team/app', tag: '1.0', host: source.host });
    const staged = await harness.settled(job.id);
    expect(staged).toMatchObject({
      status: 'staged',
      verdict: 'skipped',
      digest: image.digest,
      mediaType: image.descriptor.mediaType,
      error: null,
    });
    expect(staged.timeline.map(({ status }) => status)).toEqual([
      'pull_queued',
      'pulling',
      'scan_queued',
      'scanning',
      'staged',
    ]);

    await harness.push(job.id, { repository: 'gate/app', tag: 'ok' });
    const pushed = await harness.settled(job.id);
    expect(pushed).toMatchObject({ status: 'pushed', error: null });
    expect(pushed.pushes[0]).toMatchObject({ status: 'done', digest: image.digest });
    expect(pushed.pushes[0]?.bytesTotal).toBeGreaterThan(110_000);
    const there = await fetchManifest(harness.registry.url, 'gate/app', 'ok');
    expect(Buffer.from(there.body).equals(Buffer.from(image.bytes))).toBe(true);
    for (const child of image.children) {
      expect((await fetchManifest(harness.registry.url, 'gate/app', child.digest)).status).toBe(
        200,
      );
    }
  });

  it('blobs are stored once for all jobs, and a second push mounts them', async () => {
    const image = await randomImage({ bytes: 300_000 });
    await pushImage(source.url, 'team/shared', '1', image);
    const counting = await proxy(source.url);
    const jobs = await Promise.all(
      [1, 2, 3].map(() => harness.submit({ image: 'team/shared', tag: '1', host: counting.host })),
    );
    for (const job of jobs) await harness.settled(job.id);
    expect(counting.blobGets()).toHaveLength(image.blobs.length);
    const [layer] = image.blobs.slice(-1);
    const file = path.join(
      harness.dataDir,
      'cache/blobs/sha256',
      layer?.descriptor.digest.slice(7) ?? '',
    );
    expect((await stat(file)).nlink).toBe(4);

    const [first, second] = jobs;
    await harness.push(first?.id ?? '', { repository: 'gate/one' });
    await harness.settled(first?.id ?? '');
    await harness.push(second?.id ?? '', { repository: 'gate/two' });
    const pushed = await harness.settled(second?.id ?? '');
    expect(pushed.pushes[0]?.bytesMounted).toBeGreaterThan(300_000);
  });

  it('what refers to an image goes into the built-in registry with it, and out of it', async () => {
    const image = await randomImage({ bytes: 1_000 });
    const layers = [{ mediaType: 'application/spdx+json', bytes: Buffer.from('{}') }];
    const artifact = { artifactType: 'application/spdx+json', layers, subject: image.descriptor };
    const sbom = await buildArtifact(artifact);
    const at = (host: string, repository: string) =>
      openRepository({ host, repository, transport: createTransport() });
    await pushImage(source.url, 'team/signed', '1', image);
    const { bytes, descriptor } = sbom;
    await pushImage(
      source.url,
      'team/signed',
      null,
      await buildArtifact({ ...artifact, subject: undefined }),
    );
    await at(source.host, 'team/signed').push(descriptor, async () => contentOf(bytes));

    const job = { image: 'team/signed', tag: '1', withReferrers: true };
    const entering = await harness.submit({ ...job, host: source.host });
    await harness.settled(entering.id);
    await harness.push(entering.id, { repository: 'gate/signed', tag: '1' });
    expect(await harness.settled(entering.id)).toMatchObject({ status: 'pushed', error: null });
    const asked = { repository: 'gate/signed', subject: image.digest };
    expect(await harness.store.referrers.list(asked)).toMatchObject([{ digest: sbom.digest }]);

    const here = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
    const leaving = await harness.submit({
      ...job,
      image: 'gate/signed',
      host: 'here',
      source: here,
    });
    await harness.settled(leaving.id);
    const other = { name: 'other', host: source.host, useTls: false };
    const { id: registryId } = await harness.store.registries.insert(other);
    const to = { kind: 'registry', registryId, host: source.host } as const;
    await harness.push(leaving.id, { ...to, repository: 'other/signed', tag: '1' });
    expect(await harness.settled(leaving.id)).toMatchObject({ status: 'pushed', error: null });
    const listed = await at(source.host, 'other/signed').referrers(image.digest);
    expect(listed).toMatchObject([{ digest: sbom.digest, artifactType: 'application/spdx+json' }]);
  });

  it('one platform of an index is its own manifest', async () => {
    const image = await twoPlatforms();
    await pushImage(source.url, 'team/arm', '1', image);
    const job = await harness.submit({
      image: 'team/arm',
      tag: '1',
      host: source.host,
      platforms: ['linux/arm64/v8'],
    });
    expect(await harness.settled(job.id)).toMatchObject({
      status: 'staged',
      digest: image.children[1]?.digest,
    });
  });

  it('publishes each transition to the audit stream, and leaves no directory of a deleted job', async () => {
    await pushImage(source.url, 'team/small', '1', await randomImage());
    const job = await harness.submit({ image: 'team/small', tag: '1', host: source.host });
    await harness.settled(job.id);
    await expect
      .poll(async () => eventsOf(job.id))
      .toEqual(['staging.scanned success', 'staging.pulled success']);
    const directories = () => readdir(path.join(harness.dataDir, 'cache/staging'));
    expect(await directories()).toContain(job.id);
    await harness.store.jobs.remove(job.id);
    await harness.queues.enqueue({ name: 'discard', jobId: job.id });
    await expect.poll(directories).not.toContain(job.id);
  });

  it('a job of a transfer pushes automatically', async () => {
    const image = await randomImage();
    await pushImage(source.url, 'team/auto', '1', image);
    const order = {
      ...pushBy(harness.admin, harness.registry.host),
      repository: 'gate/auto',
      tag: '1',
    };
    const job = await harness.submit({
      image: 'team/auto',
      tag: '1',
      host: source.host,
      auto: true,
      pushes: [order],
    });
    const pushed = await harness.until(job.id, ({ status }) => status === 'pushed');
    expect(pushed.pushes).toMatchObject([{ id: order.id, status: 'done', digest: image.digest }]);
  });
});

describe('the gate', () => {
  it('without a scanner the verdict is error, and only accounts that may bypass it can push', async () => {
    await grantAlice({ canPullExternal: true, canPush: true });
    await pushImage(source.url, 'team/unseen', '1', await randomImage());
    await worker({ TRIVY_ENABLED: 'true', EGRESS_ALLOW: source.host });
    const job = await harness.submit({
      image: 'team/unseen',
      tag: '1',
      host: source.host,
      ownerId: harness.alice.id,
    });
    const staged = await harness.settled(job.id);
    expect(staged).toMatchObject({
      status: 'staged',
      verdict: 'error',
      error: { code: 'SCANNER_UNAVAILABLE' },
    });
    await harness.push(job.id, {
      repository: 'unseen',
      requestedById: harness.alice.id,
      requestedBy: 'alice',
    });
    const refused = await harness.settled(job.id);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'SCAN_REQUIRED' } });
    await harness.push(job.id, { repository: 'unseen' });
    expect(await harness.settled(job.id)).toMatchObject({ status: 'pushed' });
  });
});

async function eventsOf(jobId: string): Promise<string[]> {
  const events = await recent(harness.redis);
  return events
    .filter(({ resource }) => resource?.id === jobId)
    .map(({ event, outcome }) => `${event} ${outcome}`);
}

describe('rights at the time of the stage', () => {
  it('an account without a folder for external pulls is refused', async () => {
    await grantAlice({});
    await worker();
    const job = await harness.submit({
      image: 'team/app',
      tag: '1.0',
      host: source.host,
      ownerId: harness.alice.id,
    });
    expect(await harness.settled(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'PULL_EXTERNAL_FORBIDDEN', retryable: false },
    });
    // The row comes first.
    await expect.poll(() => eventsOf(job.id)).toEqual(['staging.pulled denied']);
  });

  it('an account with external pulls does not reach private addresses, unless the operator allows them', async () => {
    await grantAlice({ canPullExternal: true });
    await pushImage(source.url, 'team/inner', '1', await randomImage());
    const closed = await worker();
    const refused = await harness.submit({
      image: 'team/inner',
      tag: '1',
      host: source.host,
      ownerId: harness.alice.id,
    });
    expect(await harness.settled(refused.id)).toMatchObject({
      status: 'failed',
      error: { code: 'EGRESS_PRIVATE' },
    });
    await closed.kill('SIGTERM');
    await worker({ EGRESS_ALLOW: source.host });
    const allowed = await harness.submit({
      image: 'team/inner',
      tag: '1',
      host: source.host,
      ownerId: harness.alice.id,
    });
    expect(await harness.settled(allowed.id)).toMatchObject({ status: 'staged' });
  });

  it('even an admin does not reach the built-in registry by its internal address', async () => {
    await worker();
    const job = await harness.submit({ image: 'gate/app', tag: 'ok', host: harness.registry.host });
    expect(await harness.settled(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'EGRESS_OWN_SERVICE' },
    });
  });

  it('a push whose right was revoked while it waited is refused, and writes nothing', async () => {
    await grantAlice({ canPullExternal: true, canPush: true });
    await pushImage(source.url, 'team/late', '1', await randomImage());
    await worker({ EGRESS_ALLOW: source.host });
    const job = await harness.submit({
      image: 'team/late',
      tag: '1',
      host: source.host,
      ownerId: harness.alice.id,
    });
    await harness.settled(job.id);
    await grantAlice({ canPullExternal: true });
    await harness.push(job.id, {
      repository: 'late',
      requestedById: harness.alice.id,
      requestedBy: 'alice',
    });
    expect(await harness.settled(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'FOLDER_FORBIDDEN' },
    });
    expect((await fetchManifest(harness.registry.url, 'late', 'latest')).status).toBe(404);
  });
});

let group: string | undefined;

async function grantAlice(flags: { canPullExternal?: boolean; canPush?: boolean }): Promise<void> {
  group ??= (await harness.store.groups.insertGroup({ name: 'crew' })).id;
  await harness.store.groups.addMember(group, harness.alice.id);
  const root = await harness.store.folders.ensureRoot();
  await harness.store.folders.grant(root.id, group, flags);
}
