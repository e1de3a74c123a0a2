/** Uploads into the storage of a real registry, and what it says of their blobs. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Digest } from '@portcullis/oci';
import {
  pushImage,
  scratchImage,
  startRegistry,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { blobPath } from './storage.ts';
import { type ClaimedUpload, isStoredUpload, storedUploads } from './stored-uploads.ts';

let registry: TestRegistry;
const failed = vi.fn();
/** Two processes with the same storage. */
let one: ReturnType<typeof storedUploads>;
let other: ReturnType<typeof storedUploads>;

beforeAll(async () => {
  registry = await startRegistry();
  // Its first push creates the registry's directories.
  await pushImage(registry.url, 'team/first', '1', await scratchImage());
});
afterAll(() => registry?.stop());
beforeEach(() => {
  failed.mockClear();
  one = storedUploads(registry.storageDir, failed);
  other = storedUploads(registry.storageDir, failed);
});

const digestBy = (algorithm: 'sha256' | 'sha512', bytes: Uint8Array): Digest =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
const digestOf = (bytes: Uint8Array) => digestBy('sha256', bytes);
const ask = (repository: string, digest: string) =>
  fetch(new URL(`/v2/${repository}/blobs/${digest}`, registry.url));
const isInRegistry = async (digest: string) => (await ask('team/app', digest)).ok;
const files = () => readdir(path.join(registry.storageDir, 'portcullis-uploads'));

async function* chunks(...bytes: Uint8Array[]) {
  yield* bytes;
}

async function began(): Promise<string> {
  const id = await one.begin();
  if (id === null) throw new Error('the storage took no upload');
  return id;
}

async function claim(id: string, uploads = one): Promise<ClaimedUpload> {
  const claimed = await uploads.claim(id);
  if (claimed === null) throw new Error('the upload could not be claimed');
  return claimed;
}

async function add(id: string, uploads: typeof one, ...bytes: Uint8Array[]) {
  const claimed = await claim(id, uploads);
  await claimed.append(chunks(...bytes));
  await claimed.end();
}

async function commit(id: string, digest: Digest, uploads = one) {
  const claimed = await claim(id, uploads);
  return claimed.commit({ repository: 'team/app', digest }, isInRegistry);
}

describe('an upload', () => {
  it('becomes a blob of its repository, and its file is gone', async () => {
    const bytes = randomBytes(1_500_000);
    const id = await began();
    expect(isStoredUpload(id)).toBe(true);
    await add(id, one, bytes.subarray(0, 700_001), bytes.subarray(700_001));
    expect(await one.received(id)).toBe(bytes.length);
    expect(await commit(id, digestOf(bytes))).toEqual({ digest: digestOf(bytes) });
    const reply = await ask('team/app', digestOf(bytes));
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
    expect((await ask('team/first', digestOf(bytes))).status).toBe(404);
    expect(await files()).toEqual([]);
    expect(await one.received(id)).toBeNull();
    expect(await one.claim(id)).toBeNull();
  });

  it('of no bytes is a blob too', async () => {
    const empty = digestOf(Buffer.alloc(0));
    expect(await commit(await began(), empty)).toEqual({ digest: empty });
    expect((await ask('team/app', empty)).status).toBe(200);
  });

  it('is continued by any process, in any order of chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 200_000 })), { maxLength: 6 }),
        fc.boolean(),
        async (parts, byOne) => {
          const id = await began();
          for (const [isOne, bytes] of parts) await add(id, isOne ? one : other, bytes);
          const digest = digestOf(Buffer.concat(parts.map(([, bytes]) => bytes)));
          expect(await commit(id, digest, byOne ? one : other)).toEqual({ digest });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of other bytes than its digest says is refused and gone', async () => {
    const id = await began();
    await add(id, one, Buffer.from('other bytes'));
    const digest = digestOf(Buffer.from('bytes'));
    expect(await commit(id, digest)).toBe('mismatch');
    expect((await ask('team/app', digest)).status).toBe(404);
    expect(await files()).toEqual([]);
  });

  it('by sha512 is checked, stored by SHA-256 and served by both', async () => {
    const bytes = randomBytes(5_000);
    const id = await began();
    await add(id, one, bytes);
    const digest = digestBy('sha512', bytes);
    expect(await commit(id, digest)).toEqual({ digest: digestOf(bytes) });
    for (const each of [digest, digestOf(bytes)])
      expect((await ask('team/app', each)).status).toBe(200);
    const wrong = await began();
    await add(wrong, one, randomBytes(10));
    expect(await commit(wrong, digest)).toBe('mismatch');
  });

  it('that a client breaks off keeps the bytes that arrived', async () => {
    const bytes = randomBytes(300_000);
    const id = await began();
    const claimed = await claim(id);
    const broken = (async function* () {
      yield bytes.subarray(0, 100_000);
      throw new Error('aborted');
    })();
    await expect(claimed.append(broken)).rejects.toThrow('aborted');
    await claimed.end();
    expect(await one.received(id)).toBe(100_000);
    await add(id, one, bytes.subarray(100_000));
    expect(await commit(id, digestOf(bytes))).toEqual({ digest: digestOf(bytes) });
  });

  it('belongs to one request at a time: no second one can change what was hashed', async () => {
    const id = await began();
    const first = await claim(id);
    expect(await one.claim(id)).toBeNull();
    expect(await other.claim(id)).toBeNull();
    expect(await other.received(id)).toBeNull();
    await first.append(chunks(Buffer.from('ab')));
    await first.end();
    const winners = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => (nth % 2 ? one : other).claim(id)),
    );
    expect(winners.filter((each) => each !== null)).toHaveLength(1);
    await winners.find((each) => each !== null)?.cancel();
    expect(await files()).toEqual([]);
  });

  it('that is cancelled is unknown', async () => {
    const id = await began();
    await (await claim(id)).cancel();
    expect(await one.received(id)).toBeNull();
    expect(await files()).toEqual([]);
  });

  it.each(['', '..', '../../etc/passwd', 'stored-', 'stored-../../x', `stored-${'0'.repeat(36)}`])(
    'with the id %j is unknown',
    async (id) => {
      expect(await one.received(id)).toBeNull();
      expect(await one.claim(id)).toBeNull();
    },
  );

  it('that was left for a day is removed, and no younger one', async () => {
    const [old, young] = [await began(), await began()];
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await utimes(path.join(registry.storageDir, 'portcullis-uploads', old), yesterday, yesterday);
    const fresh = storedUploads(registry.storageDir, failed);
    const begun = await fresh.begin();
    await expect.poll(files).toEqual([young, begun].sort());
    await (await claim(young)).cancel();
    await (await claim(begun ?? '')).cancel();
  });
});

describe('a blob that is there already', () => {
  it('is not replaced, since it may be one file with the blob cache', async () => {
    const bytes = randomBytes(2_000);
    const stored = async () => {
      const id = await began();
      await add(id, one, bytes);
      return commit(id, digestOf(bytes));
    };
    expect(await stored()).toEqual({ digest: digestOf(bytes) });
    expect(await stored()).toEqual({ digest: digestOf(bytes) });
    expect(await readFile(blobPath(registry.storageDir, digestOf(bytes)))).toEqual(bytes);
  });

  it('is mounted from the repository that has it, once the registry has confirmed a blob', async () => {
    const bytes = randomBytes(100);
    const id = await began();
    await add(id, one, bytes);
    expect(await one.mount('team/to', 'team/app', digestOf(bytes))).toBeNull();
    await commit(id, digestOf(bytes));
    expect(await one.mount('team/to', 'team/absent', digestOf(bytes))).toBe(false);
    expect(await one.mount('team/to', 'team/app', digestOf(randomBytes(3)))).toBe(false);
    expect(await one.mount('team/to', 'team/app', digestOf(bytes))).toBe(true);
    expect((await ask('team/to', digestOf(bytes))).status).toBe(200);
  });
});

describe('the registry takes the upload', () => {
  it('before its first push, which creates its directories', async () => {
    await using empty = await temporaryDir();
    expect(await storedUploads(empty.path, failed).begin()).toBeNull();
  });

  it('from the moment when the directory turns out not to be its storage', async () => {
    await using unrelated = await startRegistry();
    await pushImage(unrelated.url, 'team/first', '1', await scratchImage());
    const uploads = storedUploads(unrelated.storageDir, failed);
    const id = await uploads.begin();
    const claimed = await uploads.claim(id ?? '');
    await claimed?.append(chunks(Buffer.from('a')));
    const digest = digestOf(Buffer.from('a'));
    expect(await claimed?.commit({ repository: 'team/app', digest }, async () => false)).toBe(
      'refused',
    );
    expect(failed).toHaveBeenCalledTimes(1);
    expect(await uploads.begin()).toBeNull();
  });

  it('where the storage belongs to another user id', async () => {
    await using theirs = await startRegistry();
    await pushImage(theirs.url, 'team/first', '1', await scratchImage());
    const uploads = storedUploads(theirs.storageDir, failed);
    vi.spyOn(process, 'getuid').mockReturnValue(12_345);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await uploads.begin()).toBeNull();
  });
});
