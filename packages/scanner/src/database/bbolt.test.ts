import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bboltFile } from './bbolt.fixture.ts';
import { BboltDamaged, bucketNames, fnv1a } from './bbolt.ts';

const FIXTURE = join(import.meta.dirname, '..', '..', 'fixture-db', 'db', 'trivy.db');

let dir: TemporaryDir;
let count = 0;

beforeAll(async () => {
  dir = await temporaryDir();
});
afterAll(() => dir.remove());

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  count += 1;
  const path = join(dir.path, `${count}.db`);
  await writeFile(path, bytes);
  return bucketNames(path);
}

describe('the top-level buckets of a bbolt file', () => {
  it('are those that the Go library wrote', async () => {
    expect(await bucketNames(FIXTURE)).toEqual([
      'alpine 3.16',
      'alpine 3.22',
      'data-source',
      'debian 12',
      'maven::Portcullis fixture maven',
      'npm::Portcullis fixture npm',
      'vulnerability',
    ]);
  });

  const shape = fc.record({
    names: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 600, unit: 'grapheme' }), {
      maxLength: 200,
    }),
    pageSize: fc.constantFrom(1_024, 4_096, 16_384, 65_536),
    fanOut: fc.integer({ min: 2, max: 40 }),
  });

  it('are all found, whatever their names, over branches and overflow pages', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (wanted) => {
        const found = await namesIn(bboltFile(wanted));
        expect([...found].sort()).toEqual([...wanted.names].sort());
      }),
      { numRuns: 60 },
    );
  });

  it('are read from the older meta page where the newer one is damaged, and from the newer where both are valid', async () => {
    const whole = bboltFile({ names: ['debian 12'] });
    for (const meta of [0, 1]) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xff, meta * 4_096 + 20, meta * 4_096 + 40);
      expect(await namesIn(damaged)).toEqual(['debian 12']);
    }
    const newer = Buffer.concat([
      whole.subarray(0, 8_192),
      bboltFile({ names: ['debian 13'] }).subarray(8_192),
    ]);
    expect(await namesIn(newer)).toEqual(['debian 13']);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['of zeros', Buffer.alloc(65_536)],
    ['text', Buffer.from('not a database'.repeat(9_000))],
  ])('are refused where the file is %s', async (_, bytes) => {
    await expect(namesIn(bytes)).rejects.toBeInstanceOf(BboltDamaged);
  });

  it('are refused where thousands of them share the bytes of one long name', async () => {
    const long = 'n'.repeat(4_000);
    const bytes = bboltFile({
      names: Array.from({ length: 6_000 }, (_, at) => `${at}`),
      fanOut: 6_000,
    });
    const leaf = 2 * 4_096;
    const at = bytes.length;
    for (let index = 0; index < 6_000; index += 1) {
      const element = leaf + 16 + index * 16;
      bytes.writeUInt32LE(at - element, element + 4);
      bytes.writeUInt32LE(long.length, element + 8);
    }
    bytes.writeUInt32LE(bytes.readUInt32LE(leaf + 12) + 1, leaf + 12);
    const whole = Buffer.concat([bytes, Buffer.alloc(4_096, 'n')]);
    await expect(namesIn(whole)).rejects.toThrow('it has too many buckets');
  });

  it('are refused where its pages overlap, so that few bytes are read many times', async () => {
    const names = Array.from({ length: 64 }, (_, at) => `n${at}`);
    const bytes = Buffer.concat([bboltFile({ names, fanOut: 2 }), Buffer.alloc(32 * 1024 * 1024)]);
    for (let page = 2; page < 34; page += 1) bytes.writeUInt32LE(8_000, page * 4_096 + 12);
    await expect(namesIn(bytes)).rejects.toThrow('its pages overlap');
  });

  it('are refused where the pages form a circle', async () => {
    const bytes = bboltFile({ names: ['a', 'b', 'c', 'd'], fanOut: 2 });
    const root = Number(bytes.readBigUInt64LE(16 + 16));
    bytes.writeBigUInt64LE(BigInt(root), root * 4_096 + 16 + 8);
    await expect(namesIn(bytes)).rejects.toBeInstanceOf(BboltDamaged);
  });

  it('are read or refused as damaged, whatever bytes of the file change or are missing', async () => {
    const originals = [
      await readFile(FIXTURE),
      bboltFile({ names: Array.from({ length: 90 }, (_, n) => `debian ${n}`) }),
    ];
    const damage = fc.record({
      original: fc.constantFrom(...originals),
      // Most changes hit the structure: the headers and elements of the first pages.
      changes: fc.array(fc.tuple(fc.nat(40_000), fc.nat(255)), { minLength: 1, maxLength: 30 }),
      cut: fc.option(fc.nat(60_000)),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ original, changes, cut }) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const found = await namesIn(cut === null ? bytes : bytes.subarray(0, cut)).catch(
          (error: unknown) => error,
        );
        if (!Array.isArray(found)) expect(found).toBeInstanceOf(BboltDamaged);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where a valid meta page points to anything but a page of buckets', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (root) => {
        const bytes = bboltFile({ names: ['debian 12'] });
        for (const meta of [0, 4_096]) {
          bytes.writeBigUInt64LE(root, meta + 32);
          bytes.writeBigUInt64LE(fnv1a(bytes.subarray(meta + 16, meta + 72)), meta + 72);
        }
        const found = await namesIn(bytes).catch((error: unknown) => error);
        if (root !== 2n) expect(found).toBeInstanceOf(BboltDamaged);
      }),
      { numRuns: 100 },
    );
  });
});
