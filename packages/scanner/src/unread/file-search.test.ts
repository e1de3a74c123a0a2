import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchFiles } from './file-search.ts';
import { applyFiles } from './surviving-files.ts';

const npm = (name: string) => JSON.stringify({ name, version: '1.0.0' });

/** An entry of an archive without its name and type. */
function entryOf(bytes: Uint8Array) {
  const read = async (most: number) => bytes.subarray(0, most);
  return { size: bytes.length, linkTo: null, lastBytes: read, firstBytes: read };
}

describe('a layer', () => {
  it('with more files than the bound is not complete', async () => {
    const search = searchFiles();
    const entry = { ...entryOf(new Uint8Array(0)), type: '0' };
    for (let n = 0; n < 50_001; n += 1)
      await search.add({ ...entry, name: `${n}.dist-info/METADATA` });
    const { expected, isComplete } = search.found();
    expect([expected.length, isComplete]).toEqual([150_000, false]);
  });

  it('is named where it is not complete', async () => {
    const layer = { expected: [], hidden: [], releases: [], isComplete: false };
    const applier = applyFiles();
    await applier.apply(layer, { diffId: 'a', name: 'sha256:a' });
    expect(applier.found().incomplete).toEqual(['sha256:a']);
  });

  it('has files that only engines extract', async () => {
    const search = searchFiles();
    const entry = entryOf(Buffer.from(npm('a')));
    for (const type of ['7', 'S'])
      await search.add({ ...entry, type, name: `${type}/package.json` });
    expect(search.found().expected).toEqual([
      ...['node-pkg', 'own', '7/package.json'],
      ...['node-pkg', 'own', 'S/package.json'],
    ]);
  });

  it('of any names is searched without a fault', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        `${'x'.repeat(1_100)}.jar`,
        'package.json',
        'a.jar',
        'a.egg',
        'etc/os-release',
        'a.deps.json',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, fc.uint8Array()), { maxLength: 4 }),
        async (entries) => {
          const search = searchFiles();
          for (const [each, bytes] of entries)
            await search.add({ ...entryOf(bytes), name: each, type: '0' });
          expect(search.found().expected.length % 3).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});
