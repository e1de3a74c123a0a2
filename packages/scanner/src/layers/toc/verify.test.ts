import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Files, tar, temporaryDir } from '@portcullis/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackLayer } from '../layer-archive.ts';
import { tocAnnotations } from './annotations.ts';
import { estargzLayer, type TocEntry, tableOf, zstdChunkedLayer } from './toc.fixture.ts';
import { type TocVerdict, verifyTocs } from './verify.ts';

const FILES: Files = {
  'usr/bin/program': 'first',
  'etc/empty': '',
  'var/data': 'x'.repeat(100_000),
};
const CHECKSUM = 'io.github.containers.zstd-chunked.manifest-checksum';
const POSITION = 'io.github.containers.zstd-chunked.manifest-position';
const TOC_DIGEST = 'containerd.io/snapshot/stargz/toc.digest';

interface Layer {
  bytes: Uint8Array;
  annotations?: Record<string, string>;
}

async function verdictOf({ bytes, annotations }: Layer): Promise<TocVerdict> {
  await using dir = await temporaryDir();
  const path = join(dir.path, 'layer');
  await writeFile(path, bytes);
  return await verifyTocs({
    path,
    annotations: tocAnnotations(annotations),
    archive: () => unpackLayer(path),
  });
}

const FORMATS = [
  ['zstd:chunked', zstdChunkedLayer],
  ['eStargz', estargzLayer],
] as const;

describe.each(FORMATS)('the table of contents of %s', (_, layerOf) => {
  it('is verified where it names the files of the archive', async () => {
    expect(await verdictOf(await layerOf(FILES))).toBe('agrees');
  });

  it('is found without annotations as well', async () => {
    const { bytes } = await layerOf(FILES);
    expect(await verdictOf({ bytes })).toBe('agrees');
  });

  const changes: [string, (entries: TocEntry[]) => unknown][] = [
    [
      'another content of a file',
      (entries) => change(entries, 0, { digest: `sha256:${'0'.repeat(64)}` }),
    ],
    [
      'another content of a chunk, beside the true digest of the file',
      (entries) => change(entries, 0, { chunkDigest: `sha256:${'0'.repeat(64)}` }),
    ],
    ['another size of a file', (entries) => change(entries, 2, { size: 7 })],
    ['another name of a file', (entries) => change(entries, 0, { name: 'usr/bin/other' })],
    ['another type', (entries) => change(entries, 0, { type: 'symlink', linkName: 'x', size: 0 })],
    ['a file that the archive has not', (entries) => [...entries, { type: 'reg', name: 'more' }]],
    ['not a file that the archive has', (entries) => entries.slice(1)],
    ['a file twice', (entries) => [...entries, entries[0]]],
    [
      'a directory that hides behind dots',
      (entries) => change(entries, 0, { name: 'usr/x/../bin/program' }),
    ],
    [
      'holes where the archive has data',
      (entries) => change(entries, 0, { chunkType: 'zeros', digest: '' }),
    ],
    [
      'a chunk of another file',
      (entries) => [...entries, { type: 'chunk', name: 'usr/bin/program' }],
    ],
    [
      'a name in letters that Go takes for the same',
      (entries) => change(entries, 0, { NAME: 'usr/bin/other' }),
    ],
    ['a type of entry that is unknown', (entries) => change(entries, 0, { type: 'whiteout' })],
    ['no list of files', () => 'none'],
  ];
  it.each(changes)('is unverified with %s', async (__, edit) => {
    const layer = await layerOf(FILES, edit);
    expect(await verdictOf(layer)).toBe('unverified');
    if (edit([]) === 'none') return;
    expect(await verdictOf({ bytes: layer.bytes })).toBe('unverified');
  });

  it('with any single value changed is unverified, or names the same files', async () => {
    const { entries } = JSON.parse((await tableOf(FILES)).toString());
    const used = [
      'type',
      'name',
      'size',
      'digest',
      'chunkDigest',
      'chunkSize',
      'chunkOffset',
      'linkName',
    ];
    const anyChange = fc.record({
      at: fc.nat(entries.length - 1),
      name: fc.constantFrom(...used),
      value: fc.oneof(fc.string(), fc.nat(), fc.constantFrom('reg', 'dir', 'chunk', null, [])),
    });
    await fc.assert(
      fc.asyncProperty(anyChange, async ({ at, name, value }) => {
        const before = entries[at][name];
        // An absent value, an empty one, and that of the only chunk, mean the same.
        fc.pre(value !== before && value !== '' && value !== 0 && name !== 'linkName');
        fc.pre(!(name === 'chunkSize' && value === entries[at].size));
        const layer = await layerOf(FILES, (all) => change(all, at, { [name]: value }));
        const isIgnored = entries[at].size === undefined && name === 'chunkDigest';
        if (!isIgnored) expect(await verdictOf(layer)).toBe('unverified');
      }),
      { numRuns: 150 },
    );
  });
});

function change(entries: TocEntry[], at: number, more: object): TocEntry[] {
  return entries.map((entry, position) => (position === at ? { ...entry, ...more } : entry));
}

describe('annotations of a layer', () => {
  it.each<[string, () => Promise<Layer>, TocVerdict]>([
    ['none, of an ordinary layer', async () => ({ bytes: gzipSync(await tar(FILES)) }), 'none'],
    ['none, of a plain archive', async () => ({ bytes: await tar(FILES) }), 'none'],
    [
      'others',
      async () => ({
        bytes: gzipSync(await tar(FILES)),
        annotations: { 'org.example/title': 'x' },
      }),
      'none',
    ],
    [
      'a table that is not there',
      async () => ({
        bytes: zstdCompressSync(await tar(FILES)),
        annotations: { [POSITION]: '10:20:30:1' },
      }),
      'unverified',
    ],
    [
      'the digest of a table that is not there: an engine may have it from another image',
      async () => {
        const { bytes } = await zstdChunkedLayer(FILES);
        return { bytes, annotations: { [CHECKSUM]: `sha256:${'0'.repeat(64)}` } };
      },
      'unverified',
    ],
    [
      'the digest of another table of eStargz',
      async () => {
        const { bytes } = await estargzLayer(FILES);
        return { bytes, annotations: { [TOC_DIGEST]: `sha256:${'0'.repeat(64)}` } };
      },
      'unverified',
    ],
    [
      'another table in the midst of the blob, where the one at its end agrees',
      async () => {
        const packed = zstdCompressSync(await tableOf({ 'usr/bin/program': 'another' }));
        const { bytes, hiddenAt } = await zstdChunkedLayer(FILES, undefined, packed);
        const position = `${hiddenAt}:${packed.length}:1000:1`;
        const checksum = `sha256:${createHash('sha256').update(packed).digest('hex')}`;
        return { bytes, annotations: { [POSITION]: position, [CHECKSUM]: checksum } };
      },
      'unverified',
    ],
    [
      'a position that is not written as it should be',
      async () => {
        const { bytes, annotations } = await zstdChunkedLayer(FILES);
        return { bytes, annotations: { ...annotations, [POSITION]: ` ${annotations[POSITION]}` } };
      },
      'unverified',
    ],
    [
      'those of nydus',
      async () => ({
        bytes: gzipSync(await tar(FILES)),
        annotations: { 'containerd.io/snapshot/nydus-bootstrap': 'true' },
      }),
      'unverified',
    ],
  ])('%s', async (_, layer, expected) => {
    expect(await verdictOf(await layer())).toBe(expected);
  });
});

it('an archive that programs may read differently is not compared', async () => {
  const archive = Buffer.from(await tar({ a: 'text' }));
  const twice = Buffer.concat([archive.subarray(0, 1024), archive]);
  const layer = await zstdChunkedLayer({ a: 'text' }, undefined, undefined, twice);
  expect(await verdictOf(layer)).toBe('unverified');
});
