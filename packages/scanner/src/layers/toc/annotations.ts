/**
 * Parses the layer annotations about tables of contents (zstd:chunked, eStargz, SOCI, nydus).
 * Engines with lazy pulling create a layer's files from such a table instead of the archive.
 */
import { createHash } from 'node:crypto';
import { type Digest, isDigest } from '@portcullis/oci';

export interface TocAnnotations {
  /** Offsets of zstd:chunked tables in the blob. */
  positions: TocRange[];
  /** Digests by which an engine finds a table in its cache. */
  digests: { of: 'packed' | 'unpacked'; digest: Digest }[];
  /** The annotations belong to a format that we cannot compare with the archive, or are damaged. */
  isForeign: boolean;
  /** There is at least one annotation of this kind. */
  isMade: boolean;
  /** Equal for equal annotations; empty where there are none. */
  key: string;
}

export interface TocRange {
  offset: number;
  length: number;
}

/** The second spelling is that of stargz-snapshotter. */
const POSITION = /^io\.(?:github\.)?containers\.zstd-chunked\.manifest-position$/;
const PACKED_DIGEST = /^io\.(?:github\.)?containers\.zstd-chunked\.manifest-checksum$/;
const UNPACKED_DIGEST = 'containerd.io/snapshot/stargz/toc.digest';
/** Nydus and overlaybd, among others. */
const SNAPSHOTTER = 'containerd.io/snapshot/';

export const NO_TOC_ANNOTATIONS = tocAnnotations(undefined);

export function tocAnnotations(annotations: Record<string, string> | undefined): TocAnnotations {
  const parsed: TocAnnotations = {
    positions: [],
    digests: [],
    isForeign: false,
    isMade: false,
    key: '',
  };
  const made = Object.entries(annotations ?? {}).filter(([name]) => concernsTable(name));
  if (made.length === 0) return parsed;
  for (const [name, value] of made) add(parsed, name, value);
  const sorted = made.sort(([one], [other]) => (one < other ? -1 : 1));
  const key = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  return { ...parsed, isMade: true, key };
}

function concernsTable(name: string): boolean {
  return POSITION.test(name) || PACKED_DIGEST.test(name) || name.startsWith(SNAPSHOTTER);
}

function add(parsed: TocAnnotations, name: string, value: string): void {
  const known = POSITION.test(name) ? addPosition(parsed, value) : addDigest(parsed, name, value);
  if (!known) parsed.isForeign = true;
}

/** `offset:length:unpacked length:type`, where only type 1 is defined. */
function addPosition({ positions }: TocAnnotations, value: string): boolean {
  const [, offset, length] = /^(\d{1,15}):(\d{1,15}):\d{1,15}:1$/.exec(value) ?? [];
  if (offset === undefined || length === undefined) return false;
  positions.push({ offset: Number(offset), length: Number(length) });
  return true;
}

function addDigest({ digests }: TocAnnotations, name: string, value: string): boolean {
  if (!isDigest(value) || !value.startsWith('sha256:')) return false;
  if (name === UNPACKED_DIGEST) digests.push({ of: 'unpacked', digest: value });
  else if (PACKED_DIGEST.test(name)) digests.push({ of: 'packed', digest: value });
  else return false;
  return true;
}
