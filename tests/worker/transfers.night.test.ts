/**
 * Batches at length: a hundred images with a killed worker, patterns of tags, and targets that lose
 * blobs.
 */
import { randomUUID } from 'node:crypto';
import type { TransferEntry } from '@portcullis/domain';
import { PATIENCE_MS, pushImage, randomImage } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
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
import { blobTraffic } from './proxy.ts';
import {
  basic,
  expectThere,
  harness,
  open,
  proxied,
  saved,
  startTransfers,
  worker,
} from './transfers.fixture.ts';

startTransfers();

const MANY = 100;

const family = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => tagged(`${prefix}-${n}`));

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
});
