/**
 * Parses a table of contents (zstd:chunked, eStargz) into the files that an engine would create
 * from it. Both formats use the JSON of CRFS: one entry per file, and one more for each further
 * chunk of its content.
 */
import {
  type Digest,
  foldedName,
  inSlices,
  isDigest,
  parseStrictJson,
  type Steps,
} from '@portcullis/oci';
import { z } from 'zod';
import type { EntryType } from '../tar-entries.ts';

export interface TocFile {
  type: EntryType;
  name: string;
  linkName: string;
  size: number;
  /** Digest of the whole content. */
  digest: Digest | null;
  /** Consecutive, covering the whole file. */
  chunks: TocChunk[];
}

export interface TocChunk {
  size: number;
  /** Null where the chunk is a hole, or the whole file whose digest is known. */
  digest: Digest | null;
  isHole: boolean;
}

const TYPES = ['reg', 'hardlink', 'symlink', 'char', 'block', 'dir', 'fifo', 'chunk'] as const;
const length = z.int().min(0).default(0);
const digest = z
  .union([z.literal(''), z.string().refine((value): value is Digest => isSha256(value))])
  .default('')
  .transform((value): Digest | null => (value === '' ? null : value));
const Entry = z.object({
  type: z.enum(TYPES),
  name: z.string(),
  linkName: z.string().default(''),
  size: length,
  digest,
  chunkSize: length,
  chunkOffset: length,
  chunkDigest: digest,
  chunkType: z.enum(['', 'zeros']).default(''),
});
type Entry = z.infer<typeof Entry>;
const Table = z.object({
  version: z.literal(1).optional(),
  entries: z.custom<unknown[]>(Array.isArray),
});

function isSha256(value: string): value is Digest {
  return isDigest(value) && value.startsWith('sha256:');
}

const LIMITS = { maxDepth: 8, maxMembers: 1_000, maxValues: 16_000_000 };

/** @throws Error where it is not a table, or one that programs may read differently */
export async function parseToc(bytes: Uint8Array): Promise<TocFile[]> {
  const document = await parseStrictJson(bytes, LIMITS);
  return inSlices(read(document));
}

const ENTRIES_PER_STEP = 64;

function* read(document: unknown): Steps<TocFile[]> {
  const { entries } = Table.parse(plain(document, TABLE_NAMES));
  const found: Entry[] = [];
  for (const entry of entries) {
    found.push(Entry.parse(plain(entry, ENTRY_NAMES)));
    if (found.length % ENTRIES_PER_STEP === 0) yield;
  }
  return yield* gather(found);
}

const TABLE_NAMES = new Set(Object.keys(Table.shape));
const ENTRY_NAMES = new Set(Object.keys(Entry.shape));
const ENTRY_FOLDED = new Map(
  [...TABLE_NAMES, ...ENTRY_NAMES].map((name) => [foldedName(name), name]),
);

/** Readers written in Go accept `Name` for `name`. */
function plain(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) throw wrong();
  for (const name of Object.keys(value)) {
    const meant = names.has(name) ? name : ENTRY_FOLDED.get(foldedName(name));
    if (meant !== undefined && meant !== name && names.has(meant)) throw wrong();
  }
  return value;
}

function* gather(entries: Entry[]): Steps<TocFile[]> {
  const files: TocFile[] = [];
  let at = 0;
  while (at < entries.length) {
    const first = entries[at];
    if (!first || first.type === 'chunk') throw wrong();
    const further: Entry[] = [];
    for (
      let next = entries[at + 1];
      next?.type === 'chunk';
      next = entries[at + 1 + further.length]
    )
      further.push(next);
    if (further.some(({ name }) => name !== first.name)) throw wrong();
    files.push(fileOf(first, first.type, further));
    if (files.length % ENTRIES_PER_STEP === 0) yield;
    at += 1 + further.length;
  }
  return files;
}

function fileOf(first: Entry, type: EntryType, further: Entry[]): TocFile {
  const { name, linkName, size, digest: whole } = first;
  const isLink = type === 'hardlink' || type === 'symlink';
  const file = { type, name, linkName: isLink ? linkName : '', size, digest: whole };
  if (type !== 'reg') {
    if (further.length > 0) throw wrong();
    return { ...file, size: 0, digest: null, chunks: [] };
  }
  if (size > 0 || further.length > 0) return { ...file, chunks: chunksOf(first, further) };
  if (first.chunkSize !== 0 || first.chunkOffset !== 0) throw wrong();
  return { ...file, chunks: [] };
}

function chunksOf(first: Entry, further: Entry[]): TocChunk[] {
  const entries = [first, ...further];
  let at = 0;
  const chunks = entries.map((entry, position) => {
    const chunk = {
      size: entry.chunkSize || first.size - entry.chunkOffset,
      digest: entry.chunkDigest,
      isHole: entry.chunkType === 'zeros',
    };
    const isWhole = entries.length === 1 && first.digest !== null;
    if (entry.chunkOffset !== at || chunk.size <= 0) throw wrong();
    if (chunk.digest === null && !chunk.isHole && !isWhole) throw wrong();
    at += chunk.size;
    if (position === entries.length - 1 && at !== first.size) throw wrong();
    return chunk;
  });
  return chunks;
}

/**
 * The path within the image; null for its root. @throws Error where programs may resolve it
 * differently
 */
export function pathOf(name: string): string | null {
  const path = name.replace(/^(?:\.?\/)/, '').replace(/\/$/, '');
  if (path === '' || path === '.') return null;
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) throw wrong();
  return path;
}

function wrong(): Error {
  return new Error('this is no table of contents that all programs read alike');
}
