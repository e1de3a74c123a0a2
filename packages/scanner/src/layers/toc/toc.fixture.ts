/**
 * Layers in zstd:chunked and eStargz format for tests, whose table of contents may differ from the
 * archive.
 */
import { createHash } from 'node:crypto';
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Files, tar } from '@portcullis/testing';

export type TocEntry = Record<string, unknown>;
type Edit = (entries: TocEntry[]) => unknown;

export interface LazyLayer {
  bytes: Buffer;
  annotations: Record<string, string>;
  mediaType: string;
  /** Digest of the unpacked archive. */
  diffId: string;
  /** Offset of `hidden` in the blob. */
  hiddenAt?: number;
}

/** The correct table of these files, changed by `edit`. */
export async function tableOf(files: Files, edit: Edit = (entries) => entries): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, content]): TocEntry => {
    const { length } = Buffer.from(content);
    if (length === 0) return { type: 'reg', name };
    const digest = sha256(Buffer.from(content));
    return {
      type: 'reg',
      name,
      size: length,
      digest,
      offset: 1,
      chunkSize: length,
      chunkDigest: digest,
    };
  });
  return Buffer.from(JSON.stringify({ version: 1, entries: edit(entries) }));
}

/**
 * As `podman push --compression-format zstd:chunked` writes it; `hidden` is in a frame between the
 * archive and the table.
 */
export async function zstdChunkedLayer(
  files: Files,
  edit?: Edit,
  hidden?: Uint8Array,
  archive?: Uint8Array,
): Promise<LazyLayer> {
  const content = Buffer.from(archive ?? (await tar(files)));
  const table = await tableOf(files, edit);
  const packed = zstdCompressSync(table);
  const first = zstdCompressSync(content);
  const head = [first, ...(hidden ? [skippable(hidden)] : [])];
  const offset = Buffer.concat(head).length + 8;
  const footer = Buffer.alloc(64);
  for (const [at, value] of [offset, packed.length, table.length, 1].entries())
    footer.writeBigUInt64LE(BigInt(value), at * 8);
  footer.write('GNUlInUx', 56, 'latin1');
  return {
    bytes: Buffer.concat([...head, skippable(packed), skippable(footer)]),
    annotations: {
      'io.github.containers.zstd-chunked.manifest-checksum': sha256(packed),
      'io.github.containers.zstd-chunked.manifest-position': `${offset}:${packed.length}:${table.length}:1`,
    },
    mediaType: 'application/vnd.oci.image.layer.v1.tar+zstd',
    diffId: sha256(content),
    hiddenAt: first.length + 8,
  };
}

function skippable(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a50);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

const TABLE_NAME = 'stargz.index.json';

/**
 * As `ctr-remote image optimize` and buildkit write it: the table is the last file of the archive.
 */
export async function estargzLayer(files: Files, edit?: Edit): Promise<LazyLayer> {
  const table = await tableOf(files, edit);
  const first = Buffer.from(await tar(files)).subarray(0, -1024);
  const last = Buffer.from(await tar({ [TABLE_NAME]: table }));
  const packed = gzipSync(first);
  return {
    bytes: Buffer.concat([packed, gzipSync(last), stargzFooter(packed.length)]),
    annotations: { 'containerd.io/snapshot/stargz/toc.digest': sha256(table) },
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    diffId: sha256(Buffer.concat([first, last])),
  };
}

/** An empty gzip member whose extra field holds the offset of the table's member. */
function stargzFooter(offset: number): Buffer {
  const field = Buffer.from(`${offset.toString(16).padStart(16, '0')}STARGZ`, 'latin1');
  const head = Buffer.from([
    0x1f,
    0x8b,
    8,
    4,
    0,
    0,
    0,
    0,
    0,
    255,
    26,
    0,
    0x53,
    0x47,
    field.length,
    0,
  ]);
  const empty = Buffer.alloc(13);
  empty.set([1, 0, 0, 255, 255]);
  empty.writeUInt32LE(crc32(''), 5);
  return Buffer.concat([head, field, empty]);
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
