/** Batches of images between registries, run by workers as processes. */
import { randomUUID } from 'node:crypto';
import type { TransferEntry } from '@portcullis/domain';
import { forRequest } from '@portcullis/runtime';
import { buildArtifact, pushImage, randomImage, type TestRegistry } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fromSaved as from,
  orderOf,
  submitTransfer,
  tagged,
  toLocal,
  toSaved,
  transferOver,
} from './batch.ts';
import {
  basic,
  digestAt,
  expectThere,
  harness,
  open,
  proxied,
  saved,
  sealed,
  startTransfers,
  worker,
} from './transfers.fixture.ts';

startTransfers();

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
