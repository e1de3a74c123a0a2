/** Batches of images between registries, run by workers as processes. */
import { randomUUID } from 'node:crypto';
import type { TransferEntry } from '@portcullis/domain';
import { forRequest } from '@portcullis/runtime';
import type { SavedRegistry } from '@portcullis/store';
import {
  buildArtifact,
  fetchManifest,
  PATIENCE_MS,
  pushImage,
  randomImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  fromSaved as from,
  orderOf,
  pushFamily,
  submitTransfer,
  tagged,
  toLocal,
  toSaved,
  transferOver,
} from './batch.ts';
import { type Harness, openHarness } from './harness.ts';
import { type Behaviour, blobTraffic, startProxy } from './proxy.ts';

const MANY = 100;

let harness: Harness;
/** Anonymous; Basic; Basic behind TLS with a private certificate authority. */
let open: TestRegistry;
let basic: TestRegistry;
let sealed: TestRegistry;
let saved: Record<'open' | 'basic' | 'sealed', SavedRegistry>;

beforeAll(async () => {
  [harness, open, basic, sealed] = await Promise.all([
    openHarness(),
    startRegistry(),
    startRegistry({ auth: 'basic' }),
    startRegistry({ auth: 'basic', tls: true }),
  ]);
  saved = {
    open: await save('open', open),
    basic: await save('basic', basic),
    sealed: await save('sealed', sealed),
  };
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await Promise.all([open, basic, sealed].map((registry) => registry?.stop()));
});

function save(
  name: string,
  { host, credentials, ca }: Pick<TestRegistry, 'host' | 'credentials' | 'ca'>,
) {
  const tls = { useTls: ca !== undefined, caCert: ca ?? null };
  return harness.store.registries.insert({ name, host, ...tls, ...credentials });
}

async function worker(env?: Record<string, string>) {
  const started = await harness.startWorker(env);
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

async function proxied(registry: TestRegistry, behaviour?: Behaviour) {
  const proxy = await startProxy(registry.url, behaviour);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const { host } = proxy;
  return {
    proxy,
    saved: await save('proxied', { host, credentials: registry.credentials, ca: undefined }),
  };
}

const family = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => tagged(`${prefix}-${n}`));

async function digestAt(registry: TestRegistry, repository: string, tag = '1') {
  const { status, body } = await fetchManifest(registry.url, repository, tag, registry);
  return status === 200 ? Buffer.from(body) : null;
}

async function expectThere(
  registry: TestRegistry,
  repository: string,
  image: TestImage | undefined,
  tag = '1',
) {
  expect((await digestAt(registry, repository, tag))?.equals(Buffer.from(image?.bytes ?? []))).toBe(
    true,
  );
}

describe('a batch of a hundred images that share layers', () => {
  it('is complete although its worker is killed in the middle; each layer is downloaded once; a repeat transfers no byte of a blob', async () => {
    const images = await pushFamily(open, 'fam/app', MANY);
    const [source, target] = [await proxied(open), await proxied(basic)];
    const order = orderOf(
      { from: from(source.saved), to: toSaved(target.saved) },
      family('fam/app', MANY),
    );
    const first = await worker({ WORKER_CONCURRENCY: '4' });
    const id = await submitTransfer(harness, order);
    await expect
      .poll(async () => (await harness.store.transfers.find(id))?.counts.pushed ?? 0)
      .toBeGreaterThan(MANY / 5);
    await first.kill('SIGKILL');
    await worker({ WORKER_CONCURRENCY: '4' });
    const over = await transferOver(harness, id, 2 * PATIENCE_MS);
    expect(over.counts).toEqual({ pushed: MANY });
    for (const n of [0, 57, MANY - 1]) await expectThere(basic, `fam/app-${n}`, images[n]);

    const layers = new Set(
      images.flatMap(({ blobs }) => blobs.map(({ descriptor }) => descriptor.digest)),
    );
    // Only bytes in transit at the kill are sent again.
    expect(source.proxy.blobGets().length).toBeLessThanOrEqual(layers.size + 12);

    const before = [source.proxy.seen.length, target.proxy.seen.length] as const;
    const repeat = await transferOver(harness, await submitTransfer(harness, order));
    expect(repeat.counts).toEqual({ pushed: MANY });
    expect(blobTraffic(source.proxy.seen.slice(before[0]))).toEqual([]);
    expect(blobTraffic(target.proxy.seen.slice(before[1]))).toEqual([]);
  });
});

describe('registries of all kinds', () => {
  it('from a registry with credentials to one with TLS and a private CA, from there to ours, and within ours', async () => {
    const image = await randomImage({ layers: 2, bytes: 5_000 });
    await pushImage(basic.url, 'ends/app', '1', image, basic);
    await worker();
    const here = toLocal(harness.registry.host);
    const local = { registryId: '__local__', host: harness.registry.host };

    const out = orderOf({ from: from(saved.basic), to: toSaved(saved.sealed) }, [
      tagged('ends/app', 'tester/app'),
    ]);
    expect((await transferOver(harness, await submitTransfer(harness, out))).counts).toEqual({
      pushed: 1,
    });
    await expectThere(sealed, 'tester/app', image);

    const home = orderOf({ from: from(saved.sealed), to: here }, [
      tagged('tester/app', 'gate/app'),
    ]);
    expect((await transferOver(harness, await submitTransfer(harness, home))).counts).toEqual({
      pushed: 1,
    });
    await expectThere(harness.registry, 'gate/app', image);

    const within = orderOf({ from: local, to: here }, [tagged('gate/app', 'gate/copy')]);
    const moved = await transferOver(harness, await submitTransfer(harness, within));
    expect(moved.counts).toEqual({ pushed: 1 });
    await expectThere(harness.registry, 'gate/copy', image);
    const blobs = image.blobs.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
    expect(moved.bytes.mounted).toBe(blobs);
  });

  it('referrers are copied, unless disabled', async () => {
    const image = await randomImage();
    await pushImage(open.url, 'signed/app', '1', image);
    const signature = buildArtifact({
      artifactType: 'application/vnd.example.signature',
      layers: [{ mediaType: 'text/plain', bytes: Buffer.from('signed') }],
      subject: image.descriptor,
    });
    await pushImage(open.url, 'signed/app', null, signature);
    // This registry has no referrers API: the list is stored under a tag.
    const list = {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [{ ...signature.descriptor, artifactType: 'application/vnd.example.signature' }],
    };
    await put(open, `signed/app/manifests/${image.digest.replace(':', '-')}`, list);
    await worker();
    const ends = { from: from(saved.open), to: toLocal(harness.registry.host) };
    const along = orderOf(ends, [tagged('signed/app', 'along/app')]);
    const alone = orderOf(ends, [tagged('signed/app', 'alone/app')], { withReferrers: false });
    for (const order of [along, alone])
      expect((await transferOver(harness, await submitTransfer(harness, order))).counts).toEqual({
        pushed: 1,
      });
    expect(await digestAt(harness.registry, 'along/app', signature.digest)).not.toBeNull();
    expect(await digestAt(harness.registry, 'alone/app', signature.digest)).toBeNull();
  });

  async function put(registry: TestRegistry, path: string, manifest: { mediaType: string }) {
    const answer = await fetch(`${registry.url}/v2/${path}`, {
      method: 'PUT',
      body: JSON.stringify(manifest),
      headers: { 'content-type': manifest.mediaType },
    });
    expect(answer.status).toBe(201);
  }

  it('a target that cannot read a blob while another push writes it is retried', async () => {
    const image = await randomImage();
    await pushImage(open.url, 'busy/app', '1', image);
    let refused = 0;
    const target = await proxied(basic, {
      answer: ({ method, path }) =>
        method === 'PUT' && path.includes('/manifests/') && refused++ === 0
          ? { status: 400, body: JSON.stringify({ errors: [{ code: 'MANIFEST_BLOB_UNKNOWN' }] }) }
          : null,
    });
    await worker();
    const order = orderOf({ from: from(saved.open), to: toSaved(target.saved) }, [
      tagged('busy/app'),
    ]);
    expect((await transferOver(harness, await submitTransfer(harness, order))).counts).toEqual({
      pushed: 1,
    });
    expect(refused).toBe(2);
    await expectThere(basic, 'busy/app', image);
  });

  it('blobs that the target lacks at the time of the push are downloaded, whatever it had before', async () => {
    const image = await randomImage({ layers: 1, bytes: 40_000 });
    await pushImage(open.url, 'lazy/app', '1', image);
    const source = await proxied(open);
    await worker();
    const order = orderOf({ from: from(source.saved), to: toLocal(harness.registry.host) }, [
      tagged('lazy/app'),
    ]);
    expect((await transferOver(harness, await submitTransfer(harness, order))).counts).toEqual({
      pushed: 1,
    });
    expect(source.proxy.blobGets()).toHaveLength(image.blobs.length);
    await expectThere(harness.registry, 'lazy/app', image);
  });
});

describe('tag patterns', () => {
  const TAGS = ['1.0.0', '1.1.0', '1.2.0-rc.1', '2.0.0', 'latest', `sha256-${'a'.repeat(64)}.sig`];

  beforeAll(async () => {
    const image = await randomImage();
    for (const tag of TAGS) await pushImage(open.url, 'many/app', tag, image);
  });

  const expand = async (tags: TransferEntry['tags'], ends = from(saved.open)) => {
    const entry = {
      image: 'many/app',
      repository: `out/${randomUUID()}`,
      tags,
      targetTag: null,
    };
    const id = await submitTransfer(
      harness,
      orderOf({ from: ends, to: toLocal(harness.registry.host) }, [entry]),
    );
    const over = await transferOver(harness, id);
    const jobs = await harness.store.jobs.list({ transferId: id });
    return { over, tags: jobs.items.map(({ tag }) => tag).sort() };
  };

  it.each<[string, TransferEntry['tags'], string[]]>([
    [
      'a glob, all of them but what belongs to an image',
      { match: { glob: '*' }, newest: null },
      ['1.0.0', '1.1.0', '1.2.0-rc.1', '2.0.0', 'latest'],
    ],
    ['a range of versions', { match: { semver: '<2' }, newest: null }, ['1.0.0', '1.1.0']],
    ['the newest two', { match: { regex: '^\\d' }, newest: 2 }, ['1.2.0-rc.1', '2.0.0']],
    ['none', { match: { glob: 'nothing-*' }, newest: null }, []],
  ])('%s', async (_, tags, expected) => {
    await worker();
    const { over, tags: made } = await expand(tags);
    expect(made).toEqual(expected);
    expect(over.selections).toMatchObject([{ state: 'done', jobsMade: expected.length }]);
    expect(over.counts.pushed ?? 0).toBe(expected.length);
  });

  it('pages of tags become jobs page by page', async () => {
    const paged = await proxied(open, {
      answer: ({ path }) => {
        if (!path.startsWith('/v2/many/app/tags/list')) return null;
        const last = new URL(path, 'http://x').searchParams.get('last');
        const at = last === null ? 0 : TAGS.indexOf(last) + 1;
        const tags = TAGS.slice(at, at + 2);
        const link = `</v2/many/app/tags/list?last=${tags.at(-1)}>; rel="next"`;
        const more = at + 2 < TAGS.length;
        return {
          status: 200,
          headers: { 'content-type': 'application/json', ...(more && { link }) },
          body: JSON.stringify({ tags }),
        };
      },
    });
    await worker();
    const { over, tags } = await expand(
      { match: { glob: '[12l]*' }, newest: null },
      from(paged.saved),
    );
    expect(tags).toHaveLength(5);
    expect(over.selections).toMatchObject([{ state: 'done', tagsSeen: TAGS.length }]);
  });

  it('a repository that does not exist fails, with the reason, and can be retried', async () => {
    await worker();
    const entry = {
      image: 'no/such',
      repository: 'no/such',
      tags: { match: { glob: '*' }, newest: null },
      targetTag: null,
    };
    const order = orderOf({ from: from(saved.open), to: toLocal(harness.registry.host) }, [entry]);
    const id = await forRequest('ticket-4711', () => submitTransfer(harness, order));
    const over = await transferOver(harness, id);
    expect(over.selections).toMatchObject([
      { state: 'failed', error: { code: expect.any(String) } },
    ]);
    await pushImage(open.url, 'no/such', '1', await randomImage());
    await harness.store.transfers.requeueSelections(id);
    await harness.queues.enqueue({ name: 'expand-transfer', transferId: id });
    expect((await transferOver(harness, id)).counts).toEqual({ pushed: 1 });
    // This entry was of no request; the row of the transfer has the id of the one for it.
    const { items } = await harness.store.jobs.list({ transferId: id });
    expect(items).toMatchObject([{ requestId: 'ticket-4711' }]);
  });
});
