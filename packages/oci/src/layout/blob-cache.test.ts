import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, slowness, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Follower } from '../copy/content.ts';
import { encodedOf } from '../model/digest.ts';
import { unavailable } from '../oci-error.ts';
import { bytesOf, chunked, randomBlob } from '../target-contract/content.ts';
import { type BlobCache, openBlobCache } from './blob-cache.ts';
import { stemOf } from './partial.ts';
import { createSealer, createSealKey, isSameSeal } from './seal.ts';

const MIB = 1024 * 1024;

describe('blob cache', () => {
  let dir: TemporaryDir;
  let cache: BlobCache;
  const partials = () => readdir(join(dir.path, 'partial'));
  beforeEach(async () => {
    dir = await temporaryDir();
    cache = openBlobCache(dir.path);
  });
  afterEach(() => dir.remove());

  it('reads the source once for two concurrent callers', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const source = chunked(bytes, 64 * 1024, () => slowness(2));
    const counted = { one: 0, other: 0 };
    await Promise.all([
      cache.store(descriptor, source.open, { onBytes: (count) => (counted.one += count) }),
      cache.store(descriptor, source.open, { onBytes: (count) => (counted.other += count) }),
    ]);
    expect(source.opened).toBe(1);
    expect(counted).toEqual({ one: MIB, other: MIB });
    expect(await partials()).toEqual([]);
  });

  it('reads the source once for two caches on one directory, as in two processes', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const source = chunked(bytes, 64 * 1024, () => slowness(2));
    const another = openBlobCache(dir.path);
    await Promise.all([
      cache.store(descriptor, source.open),
      another.store(descriptor, source.open),
    ]);
    expect(source.opened).toBe(1);
  });

  it('continues with the second caller after the first one failed', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    let chunks = 0;
    const under = Promise.withResolvers<void>();
    const broken = chunked(bytes, 64 * 1024, async () => {
      under.resolve();
      await slowness(1);
      chunks += 1;
      if (chunks === 9) throw unavailable('BROKEN', 'the network went away');
    });
    const sound = chunked(bytes);
    const failing = cache.store(descriptor, broken.open);
    // Which of two that start at once goes first isn't ours to say.
    const following = under.promise.then(() => cache.store(descriptor, sound.open));
    const [first, second] = await Promise.allSettled([failing, following]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(sound.offsets).toEqual([8 * 64 * 1024]);
  });

  it('lets a waiting caller take over a slow download', async () => {
    const patient = openBlobCache(dir.path, { handOver: { bytes: 512 * 1024, withinMs: 500 } });
    const { descriptor, bytes } = randomBlob(MIB);
    const under = Promise.withResolvers<void>();
    const slow = chunked(bytes, 16 * 1024, async () => {
      under.resolve();
      await slowness(40);
    });
    const swift = chunked(bytes);
    const first = patient.store(descriptor, slow.open);
    // The order of two concurrent calls is not defined.
    const second = under.promise.then(() => patient.store(descriptor, swift.open));
    await Promise.all([first, second]);
    expect([slow.opened, swift.opened]).toEqual([1, 1]);
    expect(swift.offsets[0]).toBeGreaterThan(0);
    expect((await bytesOf(await patient.fetch(descriptor))).equals(bytes)).toBe(true);
  });

  it('counts each byte once for both callers, however often they take turns', async () => {
    const turns = openBlobCache(dir.path, { handOver: { bytes: MIB, withinMs: 30 } });
    const { descriptor, bytes } = randomBlob(MIB);
    const sources = [0, 1].map(() => chunked(bytes, 16 * 1024, () => slowness(40)));
    const counted = [0, 0];
    await Promise.all(
      sources.map(({ open }, at) =>
        turns.store(descriptor, open, {
          onBytes: (count) => {
            counted[at] = (counted[at] ?? 0) + count;
          },
        }),
      ),
    );
    expect(sources.map(({ opened }) => opened > 1)).toContain(true);
    expect(counted).toEqual([bytes.length, bytes.length]);
  });

  it('does not interrupt a slow download while no caller waits', async () => {
    const patient = openBlobCache(dir.path, { handOver: { bytes: MIB, withinMs: 10 } });
    const { descriptor, bytes } = randomBlob(MIB);
    const slow = chunked(bytes, 64 * 1024, () => slowness(5));
    await patient.store(descriptor, slow.open);
    expect(slow.opened).toBe(1);
  });

  it('continues with the second caller after the first one was aborted', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const controller = new AbortController();
    const source = chunked(bytes, 64 * 1024, () => slowness(5));
    const first = cache.store(descriptor, source.open, { signal: controller.signal });
    const second = cache.store(descriptor, source.open);
    setTimeout(() => controller.abort(new Error('cancelled')), 30);
    await expect(first).rejects.toThrow('cancelled');
    await second;
    expect(await cache.has(descriptor)).toBe(true);
  });

  it('stops waiting for another download at once when aborted', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const held = Promise.withResolvers<void>();
    const slow = chunked(bytes, 64 * 1024, () => held.promise);
    const first = cache.store(descriptor, slow.open);
    await expect.poll(() => slow.opened).toBe(1);
    await expect(
      cache.store(descriptor, chunked(bytes).open, { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow();
    held.resolve();
    await first;
  });

  it('starts at the first byte when the source cannot seek', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    await leavePartial(descriptor, bytes.subarray(0, 300_000));
    const source = chunked(bytes, 50_001);
    await cache.store(descriptor, () => source.open({ offset: 0 }));
    expect((await bytesOf(await cache.fetch(descriptor))).equals(bytes)).toBe(true);
  });

  it('starts again, once, when the partial file is wrong', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    await leavePartial(descriptor, Buffer.alloc(300_000, 7));
    const source = chunked(bytes);
    await cache.store(descriptor, source.open);
    expect(source.offsets).toEqual([300_000, 0]);
    expect((await bytesOf(await cache.fetch(descriptor))).equals(bytes)).toBe(true);
  });

  it('needs no source for a complete partial file', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    await leavePartial(descriptor, bytes);
    const source = chunked(bytes);
    await cache.store(descriptor, source.open);
    expect(source.opened).toBe(0);
  });

  it('keeps nothing of wrong bytes, not even a partial file', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const wrong = chunked(bytes.map((byte) => byte ^ 1));
    await expect(cache.store(descriptor, wrong.open)).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
    });
    expect(await partials()).toEqual([]);
    expect(await readdir(join(dir.path, 'sha256'))).toEqual([]);
  });

  it('says which file gets the blob before it is written, its seal, and where it does not get all', async () => {
    const { descriptor, bytes } = randomBlob(MIB);
    const key = createSealKey();
    const sealer = createSealer(key);
    sealer.update(bytes);
    const seal = sealer.end();
    const files: [sizeBefore: number, ended: string][] = [];
    const onFile = async (path: string): Promise<Follower> => {
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      const ended = (how: string) => void files.push([size, how]);
      return {
        key,
        written: (given) => ended(isSameSeal(given, seal) ? 'written' : 'another'),
        lost: () => ended('lost'),
      };
    };
    let chunks = 0;
    const breaks = chunked(bytes, 300_000, async () => {
      chunks += 1;
      if (chunks > 1) throw unavailable('BROKEN', 'the network went away');
    });
    await expect(cache.store(descriptor, breaks.open, { onFile })).rejects.toThrow();
    await cache.store(descriptor, chunked(bytes).open, { onFile });
    await cache.store(descriptor, breaks.open, { onFile });
    expect(files).toEqual([
      [0, 'lost'],
      [300_000, 'written'],
    ]);
  });

  it.each([
    ['of a dead process', { pid: 2 ** 22 + 1, old: false }],
    ['that was not touched for a while', { pid: process.pid, old: true }],
  ])('takes over the lock %s', async (_, { pid, old }) => {
    const { descriptor, bytes } = randomBlob(1000);
    await cache.store(randomBlob(1).descriptor, chunked(bytes).open).catch(() => undefined);
    const path = join(dir.path, 'partial', `${stemOf(descriptor.digest)}.lock`);
    const { ownIdentity } = await import('./process-identity.ts');
    await writeFile(path, JSON.stringify({ ...ownIdentity(), pid, token: 'x' }));
    if (old) await utimes(path, 1, 1);
    await cache.store(descriptor, chunked(bytes).open);
    expect(await partials()).toEqual([]);
  });

  it('resumes the partial file of a process that was killed while it wrote', async () => {
    const { descriptor, bytes } = randomBlob(8 * MIB);
    const input = join(dir.path, 'input');
    await writeFile(input, bytes);
    const child = storeInChild(dir.path, input, descriptor.digest, bytes.length);
    await once(child, 'spawn');
    await untilPartial(2 * MIB);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;

    const source = chunked(bytes, 256 * 1024);
    const counted = { moved: 0, reused: 0, mounted: 0 };
    await cache.store(descriptor, source.open, {
      onBytes: (count, how) => {
        counted[how] += count;
      },
    });
    expect(source.opened).toBe(1);
    expect(source.offsets[0]).toBeGreaterThanOrEqual(2 * MIB);
    expect(counted).toMatchObject({
      moved: bytes.length - counted.reused,
      reused: source.offsets[0],
    });
    expect(
      (await readFile(join(dir.path, 'sha256', encodedOf(descriptor.digest)))).equals(bytes),
    ).toBe(true);
    expect(await partials()).toEqual([]);
  });

  it('gives a second process the blob that the first one downloads', async () => {
    const { descriptor, bytes } = randomBlob(2 * MIB);
    const input = join(dir.path, 'input');
    await writeFile(input, bytes);
    const child = storeInChild(dir.path, input, descriptor.digest, bytes.length);
    const exited = once(child, 'exit');
    await untilPartial(1);
    const source = chunked(bytes);
    await cache.store(descriptor, source.open);
    expect(source.opened).toBe(0);
    expect((await exited)[0]).toBe(0);
  });

  describe('prune', () => {
    it('removes old blobs that no layout uses, and old partial files', async () => {
      const [unused, used] = [randomBlob(1000), randomBlob(2000)];
      for (const { descriptor, bytes } of [unused, used])
        await cache.store(descriptor, chunked(bytes).open);
      expect(await cache.link(used.descriptor, join(dir.path, 'user'))).toBe(true);
      await leavePartial(randomBlob(1).descriptor, Buffer.alloc(500));
      expect(await cache.prune({ olderThanMs: 60_000 })).toEqual({ blobs: 0, bytes: 0 });
      expect(await cache.prune({ olderThanMs: -1 })).toEqual({ blobs: 1, bytes: 1500 });
      expect([await cache.has(unused.descriptor), await cache.has(used.descriptor)]).toEqual([
        false,
        true,
      ]);
    });

    it('does nothing in an empty cache', async () => {
      expect(await cache.prune({ olderThanMs: 0 })).toEqual({ blobs: 0, bytes: 0 });
    });
  });

  async function leavePartial(
    descriptor: { digest: `sha256:${string}` | `sha512:${string}` },
    bytes: Uint8Array,
  ) {
    const partial = join(dir.path, 'partial');
    await mkdir(partial, { recursive: true });
    await writeFile(join(partial, `${stemOf(descriptor.digest)}.0.somewhere.token`), bytes);
  }

  async function untilPartial(size: number): Promise<void> {
    await eventually(async () => {
      const names = (await partials().catch(() => [])).filter(
        (name) => name.split('.').length === 4,
      );
      const sizes = await Promise.all(
        names.map(async (name) => (await stat(join(dir.path, 'partial', name))).size),
      );
      return sizes.some((found) => found >= size);
    });
  }
});

/** Another process that stores the file slowly, one chunk at a time. */
function storeInChild(dir: string, input: string, digest: string, size: number): ChildProcess {
  const script = `
    import { readFileSync } from 'node:fs';
    import { slowness } from '@portcullis/testing/eventually';
    import { openBlobCache } from ${JSON.stringify(new URL('./blob-cache.ts', import.meta.url).href)};
    const bytes = readFileSync(${JSON.stringify(input)});
    const descriptor = { mediaType: 'application/octet-stream', digest: ${JSON.stringify(digest)}, size: ${size} };
    await openBlobCache(${JSON.stringify(dir)}).store(descriptor, async ({ offset = 0 }) => ({
      offset,
      cancel() {},
      async *[Symbol.asyncIterator]() {
        for (let at = offset; at < bytes.length; at += 262144) {
          yield bytes.subarray(at, at + 262144);
          await slowness(30);
        }
      },
    }));`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
    cwd: import.meta.dirname,
  });
}
