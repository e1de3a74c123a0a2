/**
 * Contract tests for implementations of `Target`. Each case runs against an empty target and
 * rejects if the target does not behave as a copy requires. The cases use no test framework: `for
 * (const { name, run } of TARGET_CONTRACT) test(name, async () => run(await openTarget()))`.
 */
import assert from 'node:assert/strict';
import type { Target } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import {
  DOCKER_CONFIG,
  DOCKER_INDEX,
  DOCKER_MANIFEST,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_MANIFEST,
} from '../model/media-type.ts';
import {
  bytesOf,
  chunked,
  indexOf,
  putBlob,
  putImage,
  randomBlob,
  randomImage,
} from './content.ts';

export interface ContractCase {
  name: string;
  run(target: Target): Promise<void>;
}

const SIZES = [0, 1, 64 * 1024, 1_000_003];

type Spoil = (bytes: Uint8Array) => Uint8Array;
const SPOILED: [string, Spoil][] = [
  ['other bytes than its digest', (bytes) => bytes.map((byte) => byte ^ 1)],
  ['fewer bytes than its size', (bytes) => bytes.subarray(1)],
  ['more bytes than its size', (bytes) => Buffer.concat([bytes, bytes])],
];

export const TARGET_CONTRACT: readonly ContractCase[] = [
  ...SIZES.map((size) => ({
    name: `a blob of ${size} bytes is read back as it was pushed`,
    run: (target: Target) => assertReadsBack(target, size),
  })),
  {
    name: 'a blob that was never pushed does not exist, and fetching it fails with not_found',
    async run(target) {
      const { descriptor } = randomBlob(10);
      assert.equal(await target.exists(descriptor), false);
      await assert.rejects(readAll(target, descriptor), { kind: 'not_found' });
    },
  },
  {
    name: 'a blob may be pushed twice',
    async run(target) {
      const blob = randomBlob(1000);
      await putBlob(target, blob);
      await putBlob(target, blob);
      assert.equal(await target.exists(blob.descriptor), true);
    },
  },
  {
    name: 'a blob is read from an offset, or from the start with the offset reported',
    async run(target) {
      const blob = randomBlob(300_000);
      await putBlob(target, blob);
      const content = await target.fetch(blob.descriptor, { offset: 200_000 });
      assert.ok([0, 200_000].includes(content.offset));
      assert.ok((await bytesOf(content)).equals(blob.bytes.subarray(content.offset)));
    },
  },
  ...SPOILED.map(([what, spoil]) => ({
    name: `a blob with ${what} is refused and not stored`,
    run: (target: Target) => refuses(target, spoil),
  })),
  {
    name: 'a blob whose source fails midway is not stored, and the error is passed on',
    async run(target) {
      const { descriptor, bytes } = randomBlob(400_000);
      let chunks = 0;
      const failing = chunked(bytes, 64 * 1024, async () => {
        chunks += 1;
        if (chunks === 3) throw new Error('the source failed');
      });
      await assert.rejects(target.push(descriptor, failing.open), { message: 'the source failed' });
      assert.equal(await target.exists(descriptor), false);
      await putBlob(target, { descriptor, bytes });
      assert.equal(await target.exists(descriptor), true);
    },
  },
  {
    name: 'the progress of a push adds up to the size of the blob',
    async run(target) {
      const { descriptor, bytes } = randomBlob(500_000);
      let counted = 0;
      await target.push(descriptor, chunked(bytes).open, {
        onBytes: (count) => {
          counted += count;
        },
      });
      assert.equal(counted, 500_000);
    },
  },
  {
    name: 'an aborted push stops reading its source and stores nothing',
    async run(target) {
      const { descriptor, bytes } = randomBlob(1_000_000);
      const controller = new AbortController();
      let chunks = 0;
      const slow = chunked(bytes, 10_000, async () => {
        chunks += 1;
        if (chunks === 3) controller.abort(new Error('cancelled'));
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      await assert.rejects(target.push(descriptor, slow.open, { signal: controller.signal }));
      assert.ok(chunks < 90, `${chunks} of 100 chunks were read`);
      assert.equal(await target.exists(descriptor), false);
    },
  },
  {
    name: 'reading a blob can be ended early or cancelled',
    async run(target) {
      const blob = randomBlob(1_000_000);
      await putBlob(target, blob);
      for await (const chunk of await target.fetch(blob.descriptor)) {
        assert.ok(chunk.byteLength > 0);
        break;
      }
      (await target.fetch(blob.descriptor)).cancel();
    },
  },
  {
    name: 'a manifest is resolved by its digest and by its tag',
    async run(target) {
      const image = randomImage();
      await putImage(target, image);
      await target.tag(image.descriptor, 'v1');
      for (const reference of [image.descriptor.digest, 'v1']) {
        const { mediaType, digest, size } = await target.resolve(reference);
        assert.deepEqual({ mediaType, digest, size }, image.descriptor);
      }
      assert.ok((await readAll(target, image.descriptor)).equals(image.bytes));
    },
  },
  {
    name: 'a manifest that does not exist fails with not_found',
    async run(target) {
      await assert.rejects(target.resolve('nope'), { kind: 'not_found' });
      const { digest } = randomBlob(1).descriptor;
      await assert.rejects(target.resolve(digest), { kind: 'not_found' });
    },
  },
  {
    name: 'a manifest can be pushed together with its tag',
    async run(target) {
      const { blobs, descriptor, bytes } = randomImage();
      for (const blob of blobs) await putBlob(target, blob);
      await target.push(descriptor, chunked(bytes).open, { tag: 'at-once' });
      for (const reference of ['at-once', descriptor.digest])
        assert.equal((await target.resolve(reference)).digest, descriptor.digest);
    },
  },
  {
    name: 'a tag can be moved to another manifest; the first one stays',
    async run(target) {
      const [first, second] = [randomImage(), randomImage()];
      for (const image of [first, second]) {
        await putImage(target, image);
        await target.tag(image.descriptor, 'latest');
      }
      assert.equal((await target.resolve('latest')).digest, second.descriptor.digest);
      const { digest } = first.descriptor;
      assert.equal((await target.resolve(digest)).digest, digest);
    },
  },
  ...[
    { manifest: OCI_MANIFEST, config: OCI_CONFIG, index: OCI_INDEX },
    { manifest: DOCKER_MANIFEST, config: DOCKER_CONFIG, index: DOCKER_INDEX },
  ].map((types) => ({
    name: `an index of the media type ${types.index} is stored`,
    async run(target: Target) {
      const image = randomImage(types);
      const index = indexOf(types.index, [image]);
      await putImage(target, image);
      await putBlob(target, index);
      await target.tag(index.descriptor, 'index');
      const { mediaType, digest } = await target.resolve('index');
      assert.deepEqual([mediaType, digest], [types.index, index.descriptor.digest]);
    },
  })),
];

async function assertReadsBack(target: Target, size: number): Promise<void> {
  const blob = randomBlob(size);
  await putBlob(target, blob);
  assert.equal(await target.exists(blob.descriptor), true);
  assert.ok((await readAll(target, blob.descriptor)).equals(blob.bytes));
}

async function refuses(target: Target, spoil: Spoil): Promise<void> {
  const { descriptor, bytes } = randomBlob(200_000);
  await assert.rejects(target.push(descriptor, chunked(spoil(bytes)).open));
  assert.equal(await target.exists(descriptor), false);
  await putBlob(target, { descriptor, bytes });
  assert.ok((await readAll(target, descriptor)).equals(bytes));
}

async function readAll(target: Target, descriptor: Descriptor): Promise<Buffer> {
  return bytesOf(await target.fetch(descriptor));
}
