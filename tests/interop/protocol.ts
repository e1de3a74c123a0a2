/** What our client does with a registry, without the rest of the product. */
import assert from 'node:assert/strict';
import { copy, MANIFEST_MEDIA_TYPES } from '@portcullis/oci';
import { isOciError } from '@portcullis/oci/errors';
import { createMemoryStore } from '@portcullis/oci/memory';
import type { Repository } from '@portcullis/oci/remote';
import {
  buildIndex,
  fetchManifest,
  helmChart,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { type Open, put, referrerOf } from './content.ts';

/** Returns what is particular about the registry, if anything; throws where something fails. */
export type Check = (site: { url: string; open: Open }) => Promise<string>;

const TAGS = 25;

export const PROTOCOL: Readonly<Record<string, Check>> = {
  async push({ url, open }) {
    const children = [await randomImage(), await randomImage({ platform: 'linux/arm64' })];
    const images = {
      image: await randomImage(),
      index: buildIndex(children),
      chart: await helmChart(),
    };
    for (const [tag, image] of Object.entries(images)) {
      await put(open('push/app'), image, tag);
      await assertStored(url, 'push/app', tag, image);
    }
    return '';
  },

  async pull({ open }) {
    const image = await randomImage({ layers: 1, bytes: 50_000 });
    const repository = open('pull/app');
    await put(repository, image, '1');
    const memory = createMemoryStore();
    const { root } = await copy(repository, '1', memory, { targetTag: '1' });
    assert.equal(root.digest, image.digest);
    for (const { descriptor } of image.blobs) assert.ok(memory.contents.has(descriptor.digest));
    return '';
  },

  async resume({ open }) {
    const image = await randomImage({ layers: 1, bytes: 50_000 });
    const repository = open('resume/app');
    await put(repository, image, '1');
    const layer = image.blobs.at(-1)?.descriptor ?? image.descriptor;
    const content = await repository.fetch(layer, { offset: 1_000 });
    content.cancel();
    return content.offset === 1_000 ? '' : 'from the first byte';
  },

  async referrers({ url, open }) {
    const [from, to] = [open('referrers/app'), open('referrers/copy')];
    const [listed, copied] = [await randomImage(), await randomImage()];
    const [signature, sbom] = ['signature', 'sbom'].map((kind) =>
      referrerOf(listed, `application/vnd.example.${kind}`),
    );
    assert.ok(signature && sbom);
    const along = referrerOf(copied, 'application/vnd.example.sbom');
    await put(from, listed, 'listed');
    await put(from, copied, 'copied');
    for (const each of [signature, sbom, along]) await put(from, each, null);
    const both = [signature.digest, sbom.digest].sort();
    assert.deepEqual(await digestsOf(from, listed), both, 'the list is not whole');
    await copy(from, 'copied', to, { targetTag: '1', includeReferrers: true });
    assert.deepEqual(await digestsOf(to, copied), [along.digest], 'the copy has no list');
    const answer = await fetch(`${url}/v2/referrers/app/referrers/${listed.digest}`);
    await answer.body?.cancel();
    return answer.status === 200 ? 'API' : 'tag schema';
  },

  async mount({ open }) {
    const image = await randomImage({ layers: 1, bytes: 50_000 });
    await put(open('mount/from'), image, '1');
    const mountFrom = () => ['mount/from'];
    const target = open('mount/to');
    const moved = await copy(open('mount/from'), '1', target, { targetTag: '1', mountFrom });
    assert.equal((await target.resolve('1')).digest, image.digest);
    return moved.bytesMounted > 50_000 ? '' : 'declined: blobs are sent again';
  },

  async tags({ open }) {
    const repository = open('tags/app');
    const image = await randomImage();
    const names = Array.from({ length: TAGS }, (_, i) => `t${String(i).padStart(2, '0')}`);
    for (const name of names) await put(repository, image, name);
    assert.deepEqual((await repository.allTags()).toSorted(), names, 'the list is not whole');
    const page = await repository.tags({ limit: 10 });
    if (page.items.length === TAGS) return 'one page, whatever its asked length';
    const found = [...page.items];
    for (let next = page.next; next !== undefined; ) {
      const more = await repository.tags({ cursor: next });
      found.push(...more.items);
      next = more.next;
    }
    assert.deepEqual(found.toSorted(), names, 'a page of 10 of 25 tags names no next page');
    return '';
  },

  async delete({ open }) {
    const repository = open('delete/app');
    const image = await randomImage();
    for (const tag of ['gone', 'kept']) await put(repository, image, tag);
    await repository.removeTag('gone');
    assert.equal(await isThere(repository, 'gone'), false, 'the deleted tag is still there');
    assert.equal((await repository.resolve('kept')).digest, image.digest);
    await repository.remove(image.digest);
    assert.equal(await isThere(repository, image.digest), false, 'the deleted manifest is there');
    return '';
  },
};

async function assertStored(
  url: string,
  repository: string,
  tag: string,
  { bytes }: TestImage,
): Promise<void> {
  const { status, body } = await fetchManifest(url, repository, tag);
  assert.equal(status, 200);
  assert.ok(body.equals(bytes), `${tag} was stored with other bytes`);
}

async function digestsOf(repository: Repository, { digest }: TestImage): Promise<string[]> {
  return (await repository.referrers(digest)).map((each) => each.digest).sort();
}

async function isThere(repository: Repository, reference: string): Promise<boolean> {
  return repository.resolve(reference).then(
    () => true,
    (error: unknown) => {
      if (isOciError(error) && error.kind === 'not_found') return false;
      throw error;
    },
  );
}

/** Single requests, whose answers differ between registries. */
export const HABITS: Readonly<Record<string, Check>> = {
  async 'GET referrers'({ url, open }) {
    const { digest } = await stored(open);
    return String(await statusOf(`${url}/v2/habits/app/referrers/${digest}`));
  },
  async '`OCI-Subject`'({ url, open }) {
    const referrer = referrerOf(await stored(open), 'application/vnd.example.note');
    await put(open('habits/app'), referrer, null);
    const answer = await sent(url, `habits/app/manifests/${referrer.digest}`, referrer);
    return answer.headers.has('oci-subject') ? 'yes' : 'no';
  },
  async mount({ url, open }) {
    const { blobs } = await stored(open);
    const query = `mount=${blobs[0]?.descriptor.digest}&from=habits/app`;
    return String(await statusOf(`${url}/v2/habits/other/blobs/uploads/?${query}`, 'POST'));
  },
  async 'upload location'({ url }) {
    const answer = await fetch(`${url}/v2/habits/app/blobs/uploads/`, { method: 'POST' });
    await answer.body?.cancel();
    return /^https?:/.test(answer.headers.get('location') ?? '') ? 'absolute' : 'relative';
  },
  async '`Range`'({ url, open }) {
    const { blobs } = await stored(open);
    const path = `${url}/v2/habits/app/blobs/${blobs.at(-1)?.descriptor.digest}`;
    return String(await statusOf(path, 'GET', { range: 'bytes=10-' }));
  },
  async 'missing tag'({ url, open }) {
    await stored(open);
    return String(await statusOf(`${url}/v2/habits/app/manifests/missing`));
  },
  async 'missing child'({ url }) {
    const index = buildIndex([await randomImage()]);
    return String((await sent(url, 'habits/app/manifests/index', index)).status);
  },
  async 'DELETE of a tag'({ url, open }) {
    await put(open('habits/app'), await randomImage(), 'deleted');
    return String(await statusOf(`${url}/v2/habits/app/manifests/deleted`, 'DELETE'));
  },
};

async function stored(open: Open): Promise<TestImage> {
  const image = await randomImage();
  await put(open('habits/app'), image, '1');
  return image;
}

async function statusOf(url: string, method = 'GET', headers: Record<string, string> = {}) {
  const accept = MANIFEST_MEDIA_TYPES.join(', ');
  const answer = await fetch(url, { method, headers: { accept, ...headers } });
  await answer.body?.cancel();
  return answer.status;
}

async function sent(url: string, path: string, { bytes, descriptor }: TestImage) {
  const answer = await fetch(`${url}/v2/${path}`, {
    method: 'PUT',
    body: Buffer.from(bytes),
    headers: { 'content-type': descriptor.mediaType },
  });
  await answer.body?.cancel();
  return answer;
}
