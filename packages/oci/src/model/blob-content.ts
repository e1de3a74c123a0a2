/**
 * Detects what a blob contains from its first bytes. Media types cannot be relied on, because some
 * container engines ignore them and unpack any blob that looks like a layer. Like them, this checks
 * the magic number of a compression format or the checksum of the first tar header.
 */

import { createNameScanner } from '../json/top-level-names.ts';

/** The first block of a tar archive. */
export const HEAD_BYTES = 512;

export type BlobContent =
  /** An uncompressed tar archive. */
  | 'archive'
  /** Compressed in a format that container engines unpack; the content is unknown. */
  | 'packed'
  /** A WebAssembly module, which some engines run directly. */
  | 'program'
  /** Text that starts like a JSON object or array. */
  | 'json'
  | 'text'
  | 'data'
  | 'empty';

const MAGIC: [RegExp, BlobContent][] = [
  [/^1f8b/, 'packed'], // gzip
  [/^28b52ffd|^5.2a4d18/, 'packed'], // zstd, and a skippable frame before it
  [/^425a68/, 'packed'], // bzip2
  [/^fd377a585a00/, 'packed'], // xz
  [/^0061736d/, 'program'],
];

/** @param head the first `HEAD_BYTES` bytes, or all where there are fewer */
export function sniffContent(head: Uint8Array): BlobContent {
  if (head.length === 0) return 'empty';
  if (isTarHeader(head)) return 'archive';
  const start = hexOf(head.subarray(0, 6));
  const known = MAGIC.find(([magic]) => magic.test(start));
  if (known) return known[1];
  const text = textOf(head);
  if (text === null) return 'data';
  return /^\s*[[{]/.test(text) ? 'json' : 'text';
}

/**
 * Compression formats that some container engines unpack but vulnerability scanners do not: bzip2,
 * xz, lz4, and zstd after a skippable frame. Such a stream may also be a valid tar archive, with
 * different files for each reader.
 */
export function isUnscannedCompression(head: Uint8Array): boolean {
  return /^(?:425a68|fd377a585a00|04224d18|5.2a4d18)/.test(hexOf(head.subarray(0, 6)));
}

const CHECKSUM = { from: 148, to: 156 };
const BLANK = 0x20;

/** Checked first, because valid JSON can also be a valid tar archive (old headers need no NUL). */
function isTarHeader(head: Uint8Array): boolean {
  if (head.length < HEAD_BYTES) return false;
  const block = head.subarray(0, HEAD_BYTES);
  if (block.every((byte) => byte === 0)) return true;
  const summed = block.map((byte, at) => (at >= CHECKSUM.from && at < CHECKSUM.to ? BLANK : byte));
  const stated = checksumIn(block);
  return (
    stated === summed.reduce((sum, byte) => sum + byte, 0) ||
    stated === summed.reduce((sum, byte) => sum + (byte < 128 ? byte : byte - 256), 0)
  );
}

/** Go readers take a blank checksum field for 0. */
function checksumIn(block: Uint8Array): number | null {
  const field = [...block.subarray(CHECKSUM.from, CHECKSUM.to)]
    .map((byte) => String.fromCharCode(byte))
    .join('');
  if (/^[ \0]*$/.test(field)) return 0;
  const digits = /^[ \0]*([0-7]+)(?:[ \0].*)?$/s.exec(field)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 8);
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Null if the bytes are not UTF-8 or have control characters. The last character may be incomplete.
 */
function textOf(head: Uint8Array): string | null {
  if (head.some((byte) => byte < BLANK && !BLANKS.has(byte))) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** Tab, line feed, form feed, carriage return. */
const BLANKS = new Set([0x09, 0x0a, 0x0c, 0x0d]);

/** So many bytes are scanned in about a millisecond; others run before the next. */
const BYTES_AT_ONCE = 256 * 1024;

/**
 * Whether JSON is, to any reader, an image's configuration: only that has a `rootfs`. Reads all
 * content, so that its source can verify it, and keeps none of it.
 */
export async function holdsImageConfig(content: AsyncIterable<Uint8Array>): Promise<boolean> {
  const scanner = createNameScanner('rootfs');
  let isConfig = false;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length && !isConfig; at += BYTES_AT_ONCE) {
      if (at > 0) await new Promise((resolve) => setTimeout(resolve));
      isConfig = scanner.scan(chunk.subarray(at, at + BYTES_AT_ONCE));
    }
  }
  return isConfig;
}
