/**
 * Compares a layer's tables of contents with its archive, which is all that Trivy reads. An engine
 * with lazy pulling creates its files from the table: a table that names other files would run
 * content that was never scanned.
 */
import { createHash, type Hash } from 'node:crypto';
import { parseTable, pathOf, type TableChunk, type TableFile } from './layer-table.ts';
import type { TableClaim } from './table-claim.ts';
import { type FoundTable, findTables } from './table-places.ts';
import { type TarEntry, tarEntries } from './tar-entries.ts';

/** `unverified`: a table differs from the archive or cannot be compared with it. */
export type TableVerdict = 'none' | 'agrees' | 'unverified';

export interface TableSubject {
  /** Path of the compressed layer. */
  path: string;
  claim: TableClaim;
  /** Reads the layer's archive from its start. */
  archive(): Promise<AsyncIterable<Uint8Array>>;
  signal: AbortSignal;
}

/** @throws the signal's reason */
export async function checkTables(subject: TableSubject): Promise<TableVerdict> {
  const { claim, signal } = subject;
  try {
    if (claim.isForeign) return 'unverified';
    const tables = await findTables(subject.path, claim);
    if (tables.length === 0) return claim.isMade ? 'unverified' : 'none';
    if (!isNamed(claim, tables)) return 'unverified';
    for (const bytes of distinct(tables)) await assertAgrees(parseTable(bytes), subject);
    return 'agrees';
  } catch {
    signal.throwIfAborted();
    return 'unverified';
  }
}

/**
 * Engines look up a table that they have cached by the digest in the annotation: it must be the
 * digest of a table in this blob.
 */
function isNamed({ digests }: TableClaim, tables: FoundTable[]): boolean {
  return digests.every(({ of, digest }) => tables.some((table) => table[of] === digest));
}

function distinct(tables: FoundTable[]): Uint8Array[] {
  return [...new Map(tables.map(({ unpacked, bytes }) => [unpacked, bytes])).values()];
}

/** @throws Error where they differ */
async function assertAgrees(table: TableFile[], { archive, signal }: TableSubject): Promise<void> {
  const files = table.filter(({ name, type }) => !isRoot(name, type));
  const names = new Set<string>();
  let at = 0;
  for await (const entry of tarEntries((await archive())[Symbol.asyncIterator]())) {
    signal.throwIfAborted();
    if (isRoot(entry.name, entry.type) || isTableItself(entry, files[at])) {
      await drain(entry);
      continue;
    }
    const file = files[at];
    const path = pathOf(entry.name);
    if (!file || path === null || names.has(path)) throw differs();
    names.add(path);
    await assertSame(entry, file);
    at += 1;
  }
  if (at !== files.length) throw differs();
}

function isRoot(name: string, type: TableFile['type']): boolean {
  return type === 'dir' && pathOf(name) === null;
}

/** eStargz stores its table in the archive, after all files, and does not list it. */
function isTableItself({ name }: TarEntry, next: TableFile | undefined): boolean {
  return name === 'stargz.index.json' && next === undefined;
}

async function drain({ content }: TarEntry): Promise<void> {
  for await (const _ of content());
}

async function assertSame(entry: TarEntry, file: TableFile): Promise<void> {
  const linkOf = entry.type === 'hardlink' ? pathOf : (name: string) => name;
  const isSame =
    entry.type === file.type &&
    pathOf(entry.name) === pathOf(file.name) &&
    linkOf(entry.linkName) === linkOf(file.linkName) &&
    entry.size === file.size;
  if (!isSame) throw differs();
  await assertContent(entry, file);
}

async function assertContent({ content }: TarEntry, { chunks, digest }: TableFile): Promise<void> {
  const whole = createHash('sha256');
  const parts = partsOf(chunks);
  for await (const bytes of content()) {
    whole.update(bytes);
    parts.add(bytes);
  }
  if (digest !== null && `sha256:${whole.digest('hex')}` !== digest) throw differs();
}

/** Compares content with its chunks while it is read. */
function partsOf(chunks: readonly TableChunk[]): { add(bytes: Uint8Array): void } {
  let at = 0;
  let chunk = chunks[0];
  let left = chunk?.size ?? 0;
  let hash: Hash = createHash('sha256');
  function add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (!chunk) throw differs();
      const part = bytes.subarray(from, from + left);
      if (chunk.isHole && part.some((byte) => byte !== 0)) throw differs();
      hash.update(part);
      left -= part.length;
      from += part.length;
      if (left === 0) next(chunk);
    }
  }
  function next({ digest }: TableChunk): void {
    if (digest !== null && `sha256:${hash.digest('hex')}` !== digest) throw differs();
    at += 1;
    chunk = chunks[at];
    left = chunk?.size ?? 0;
    hash = createHash('sha256');
  }
  return { add };
}

function differs(): Error {
  return new Error('the table of contents names other files than the archive');
}
