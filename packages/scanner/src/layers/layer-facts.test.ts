import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { chunkDigestsOf, contentOf, type Digest } from '@portcullis/oci';
import { type Files, sha256, tar, temporaryDir } from '@portcullis/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { readCachedLayer } from './layer-cache.ts';
import { type LayerContext, type ReadLimits, readLayer } from './layer-facts.ts';
import { createLayerThreads } from './layer-threads.ts';
import { recentLayers } from './recent-layers.ts';

const SKIPPABLE = Buffer.concat([
  Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]),
  Buffer.from('toc'),
]);
const never = new AbortController().signal;

const threads = createLayerThreads();
afterAll(() => threads.close());
const recent = recentLayers(threads, 1024 ** 3);
const placeIn = (dir: string) => ({
  layoutDir: dir,
  cacheDir: join(dir, 'memory'),
  threads,
  recent,
});
const LIMITS = { signal: never, maxUnpacked: 1024 ** 3 };

async function factsOf(bytes: Uint8Array, limits: ReadLimits = LIMITS) {
  await using dir = await temporaryDir();
  return await layerFacts(await written(dir.path, bytes), placeIn(dir.path), limits);
}

/** All that is read of a layer. */
async function layerFacts(digest: Digest, place: LayerContext, limits: ReadLimits) {
  const { keep, ...facts } = await readLayer({ digest, diffId: 'unknown' }, place, limits);
  return { ...facts, ...(await keep('now')) };
}

async function written(dir: string, bytes: Uint8Array): Promise<Digest> {
  const digest = sha256(bytes);
  await mkdir(join(dir, 'blobs/sha256'), { recursive: true });
  await writeFile(join(dir, 'blobs', digest.replace(':', '/')), bytes);
  return digest;
}

function halves(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  const middle = Math.floor(bytes.length / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

describe('the diff_id of a layer', () => {
  const packings: [string, (bytes: Uint8Array) => Uint8Array][] = [
    ['plain', (bytes) => bytes],
    ['gzip', (bytes) => gzipSync(bytes)],
    [
      'gzip of several members',
      (bytes) => Buffer.concat(halves(bytes).map((half) => gzipSync(half))),
    ],
    ['zstd', (bytes) => zstdCompressSync(bytes)],
    [
      'zstd of several frames, some to be skipped',
      (bytes) => {
        const [one, two] = halves(bytes).map((half) => zstdCompressSync(half));
        return Buffer.concat(
          [one ?? '', SKIPPABLE, two ?? '', SKIPPABLE].map((part) => Buffer.from(part)),
        );
      },
    ],
  ];
  it.each(packings)('is that of the archive, packed as %s', async (_, pack) => {
    const bytes = await tar({ 'a/file': 'x'.repeat(300_000), another: 'y' });
    const packed = pack(bytes);
    const facts = { diffId: sha256(bytes), hasOs: false, sha256: sha256(packed) };
    expect(await factsOf(packed)).toMatchObject(facts);
  });

  it('is read once', async () => {
    await using dir = await temporaryDir();
    const bytes = await tar({ a: 'b' });
    const path = join(dir.path, 'blobs', sha256(bytes).replace(':', '/'));
    await mkdir(join(dir.path, 'blobs/sha256'), { recursive: true });
    await writeFile(path, bytes);
    const memory = join(dir.path, 'memory');
    const facts = await layerFacts(sha256(bytes), placeIn(dir.path), LIMITS);
    await rm(path);
    expect(await layerFacts(sha256(bytes), placeIn(dir.path), LIMITS)).toMatchObject(facts);
    expect(await readdir(memory)).toHaveLength(1);
  });

  it('is read again where an older version of this product stored less about it', async () => {
    await using dir = await temporaryDir();
    const bytes = await tar({ a: 'b' });
    const digest = await written(dir.path, bytes);
    await mkdir(join(dir.path, 'memory'));
    const memory = join(dir.path, 'memory');
    await writeFile(
      join(memory, `${digest.replace(':', '-')}.json`),
      '{"diffId":"sha256:0","hasOs":true}',
    );
    expect(await layerFacts(digest, placeIn(dir.path), LIMITS)).toMatchObject({
      diffId: digest,
      hasOs: false,
    });
    expect(await readCachedLayer(memory, digest)).toMatchObject({
      diffId: digest,
      witness: await chunkDigestsOf(contentOf(bytes)),
    });
  });

  it.each([
    ['gzip', (bytes: Uint8Array) => gzipSync(bytes)],
    ['zstd', (bytes: Uint8Array) => zstdCompressSync(bytes)],
  ])('is an error where %s is truncated', async (_, pack) => {
    const packed = pack(await tar({ a: crypto.randomUUID().repeat(1000) }));
    await expect(factsOf(packed.subarray(0, packed.length - 20))).rejects.toThrow();
  });

  it('comes with the SHA-256 of a layer that is named by SHA-512 (F14)', async () => {
    await using dir = await temporaryDir();
    const bytes = gzipSync(await tar({ a: 'b' }));
    const digest: Digest = `sha512:${createHash('sha512').update(bytes).digest('hex')}`;
    await mkdir(join(dir.path, 'blobs/sha512'), { recursive: true });
    await writeFile(join(dir.path, 'blobs', digest.replace(':', '/')), bytes);
    const facts = await layerFacts(digest, placeIn(dir.path), LIMITS);
    expect(facts.sha256).toBe(sha256(bytes));
  });

  it.each(['sha256', 'sha512'] as const)(
    'is not taken from bytes of another %s',
    async (algorithm) => {
      await using dir = await temporaryDir();
      const bytes = await tar({ a: 'b' });
      const digest: Digest = `${algorithm}:${createHash(algorithm).update('other').digest('hex')}`;
      await mkdir(join(dir.path, 'blobs', algorithm), { recursive: true });
      await writeFile(join(dir.path, 'blobs', digest.replace(':', '/')), bytes);
      const memory = join(dir.path, 'memory');
      await expect(layerFacts(digest, placeIn(dir.path), LIMITS)).rejects.toMatchObject({
        code: 'SCAN_LAYER_INVALID',
        cause: { message: 'the layer has other bytes than its digest says' },
      });
      expect(await readCachedLayer(memory, digest)).toBeNull();
    },
  );

  it('is not read once it is aborted', async () => {
    const reason = new Error('stop');
    const limits = { ...LIMITS, signal: AbortSignal.abort(reason) };
    await expect(factsOf(await tar({ a: 'b' }), limits)).rejects.toBe(reason);
  });

  it('is abandoned in the middle, and the next one is read', async () => {
    await using dir = await temporaryDir();
    const digest = await written(dir.path, gzipSync(Buffer.alloc(1024 ** 3)));
    const stop = new AbortController();
    const reading = layerFacts(digest, placeIn(dir.path), { ...LIMITS, signal: stop.signal });
    const reason = new Error('stop');
    setTimeout(() => stop.abort(reason), 50);
    await expect(reading).rejects.toBe(reason);
    expect(await readCachedLayer(placeIn(dir.path).cacheDir, digest)).toBeNull();
    expect(await factsOf(await tar({ a: 'b' }))).toMatchObject({ hasOs: false });
  });

  it('is said to be missing where it has no file', async () => {
    await using dir = await temporaryDir();
    const missing = layerFacts(sha256(Buffer.from('x')), placeIn(dir.path), LIMITS);
    await expect(missing).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  });
});

describe('the files of packages in a layer', () => {
  const files = { 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' };

  it('are known when it has been read', async () => {
    const { expected, isComplete } = (await factsOf(await tar(files))).files;
    expect([expected[0], expected[2], isComplete]).toEqual([
      'node-pkg',
      Object.keys(files)[0],
      true,
    ]);
  });

  it('are known where the archive ends without its padding', async () => {
    const bytes = await tar(files);
    const { expected, isComplete } = (await factsOf(bytes.subarray(0, 512 + 30))).files;
    expect([expected.length, isComplete]).toEqual([3, true]);
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['ends within a file', (bytes) => bytes.subarray(0, 512 + 10)],
    ['is no archive', () => Buffer.alloc(2048, 'x')],
  ])('are not known to the last where it %s', async (_, change) => {
    expect((await factsOf(change(await tar(files)))).files.isComplete).toBe(false);
  });

  it('are looked for again where an older version cached the layer without them', async () => {
    await using dir = await temporaryDir();
    const digest = await written(dir.path, await tar(files));
    const { files: found } = await layerFacts(digest, placeIn(dir.path), LIMITS);
    const path = join(dir.path, 'memory', `${digest.replace(':', '-')}.json`);
    const cached = JSON.parse(await readFile(path, 'utf8'));
    const none = { expected: [], hidden: [], releases: [], isComplete: true };
    for (const older of [{ files: undefined }, { files: none, rules: cached.rules - 1 }]) {
      await writeFile(path, JSON.stringify({ ...cached, ...older }));
      expect((await layerFacts(digest, placeIn(dir.path), LIMITS)).files).toEqual(found);
    }
  });
});

describe('a layer that unpacks to more than the limit (S12)', () => {
  const bomb = () => gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const refused = { code: 'SCAN_TOO_LARGE' };

  it('is refused', async () => {
    await expect(factsOf(bomb(), { ...LIMITS, maxUnpacked: 1024 ** 2 })).rejects.toMatchObject(
      refused,
    );
  });

  it('is refused also when it was read before, under another limit', async () => {
    await using dir = await temporaryDir();
    const digest = await written(dir.path, bomb());
    const { unpacked } = await layerFacts(digest, placeIn(dir.path), LIMITS);
    expect(unpacked).toBe(64 * 1024 * 1024);
    const again = layerFacts(digest, placeIn(dir.path), { ...LIMITS, maxUnpacked: unpacked - 1 });
    await expect(again).rejects.toMatchObject(refused);
  });
});

describe('a layer', () => {
  const long = `${'deep/'.repeat(40)}file`;
  const cases: [string, Files, boolean][] = [
    ['of a static program', { server: 'x', 'etc/ssl/certs/ca-certificates.crt': 'x' }, false],
    ['of node packages', { 'app/node_modules/x/package.json': '{}', [long]: 'x' }, false],
    ['with dpkg', { 'var/lib/dpkg/status': '' }, true],
    ['with apk', { [long]: '', 'lib/apk/db/installed': '' }, true],
    ['with rpm', { 'usr/lib/sysimage/rpm/rpmdb.sqlite': '' }, true],
    ['with a shell', { 'bin/sh': '' }, true],
    ['with a dynamic loader', { 'lib64/ld-linux-x86-64.so.2': '' }, true],
    ['with a release file', { './etc/os-release': '' }, true],
  ];
  it.each(cases)('%s', async (_, files, hasOs) => {
    expect((await factsOf(gzipSync(await tar(files)))).hasOs).toBe(hasOs);
  });

  it('that is not an archive counts as one with an operating system', async () => {
    expect((await factsOf(Buffer.alloc(2048, 'x'))).hasOs).toBe(true);
  });
});
