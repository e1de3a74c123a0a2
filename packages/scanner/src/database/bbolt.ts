/**
 * Read-only reader of bbolt files (go.etcd.io/bbolt, format version 2) that lists the names of the
 * top-level buckets of Trivy's database. The file comes from a registry, so each offset is checked
 * before use and the whole walk is bounded: a damaged file is refused and never read past its end
 * or endlessly.
 */
import { type FileHandle, open } from 'node:fs/promises';

/** The file is damaged or is not a bbolt file. */
export class BboltDamaged extends Error {
  override readonly name = 'BboltDamaged';
}

const MAGIC = 0xed0cdaed;
const VERSION = 2;
export const PAGE_HEADER = 16;
const ELEMENT = 16;
const META_BYTES = 64;
/** The bytes of a meta page's body that its checksum covers. */
const META_SUMMED = 56;
const BRANCH = 0x01;
const LEAF = 0x02;
const BUCKET = 0x01;

const MAX_PAGES = 4_096;
const MAX_NAMES = 100_000;
const MAX_NAME_BYTES = 4_096;
/** Bound on all names together: elements may share the bytes of one name. */
const MAX_NAMES_BYTES = 16 * 1024 * 1024;
/** Bound on all pages together: one page may overflow into another. */
const MAX_READ_BYTES = 512 * 1024 * 1024;
/** Bound on one page with its overflow pages. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

export interface Meta {
  pageSize: number;
  root: bigint;
  transaction: bigint;
}

/**
 * Names come in the order of the file, which is byte order. @throws BboltDamaged; the system's
 * error
 */
export async function bucketNames(path: string): Promise<string[]> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { pageSize, root } = await newestMeta(file, size);
  const names: string[] = [];
  const budget = { read: MAX_READ_BYTES, names: MAX_NAMES_BYTES };
  const seen = new Set<bigint>();
  const pending = [root];
  for (let page = pending.pop(); page !== undefined; page = pending.pop()) {
    if (seen.has(page) || seen.size >= MAX_PAGES)
      throw new BboltDamaged('its pages do not form a tree');
    seen.add(page);
    const bytes = await readPage(file, page, { pageSize, size });
    budget.read -= bytes.length;
    if (budget.read < 0) throw new BboltDamaged('its pages overlap');
    const children = isBranch(bytes) ? branchPages(bytes) : [];
    if (!isBranch(bytes)) for (const name of leafBuckets(bytes, budget)) names.push(name);
    if (names.length > MAX_NAMES || pending.length + children.length > MAX_PAGES)
      throw new BboltDamaged('it has too many buckets');
    pending.push(...children.reverse());
  }
  return names;
}

/** @throws BboltDamaged; the system's error */
export async function readMeta(path: string): Promise<Meta> {
  await using file = await open(path);
  return await newestMeta(file, (await file.stat()).size);
}

/**
 * The file has two meta pages; the newer valid one counts, so that an interrupted write loses
 * nothing.
 */
async function newestMeta(file: FileHandle, size: number): Promise<Meta> {
  const first = await metaAt(file, 0, size);
  const second = await secondMeta(file, first ? [first.pageSize] : PAGE_SIZES, size);
  if (first && second) return second.transaction > first.transaction ? second : first;
  const only = first ?? second;
  if (!only) throw new BboltDamaged('it is no bbolt file');
  return only;
}

/** The second meta page starts at the page size, which only the meta pages state. */
async function secondMeta(
  file: FileHandle,
  pageSizes: number[],
  size: number,
): Promise<Meta | null> {
  for (const pageSize of pageSizes) {
    const meta = await metaAt(file, pageSize, size);
    if (meta?.pageSize === pageSize) return meta;
  }
  return null;
}

const PAGE_SIZES = Array.from({ length: 9 }, (_, power) => 1_024 << power);

async function metaAt(file: FileHandle, offset: number, size: number): Promise<Meta | null> {
  if (offset + PAGE_HEADER + META_BYTES > size) return null;
  const body = (await readAt(file, offset, PAGE_HEADER + META_BYTES)).subarray(PAGE_HEADER);
  if (body.readUInt32LE(0) !== MAGIC || body.readUInt32LE(4) !== VERSION) return null;
  if (body.readBigUInt64LE(META_SUMMED) !== fnv1a(body.subarray(0, META_SUMMED))) return null;
  const pageSize = body.readUInt32LE(8);
  if (!PAGE_SIZES.includes(pageSize)) return null;
  return { pageSize, root: body.readBigUInt64LE(16), transaction: body.readBigUInt64LE(48) };
}

/** 64-bit FNV-1a. */
export function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** Reads a page with its overflow pages. */
async function readPage(
  file: FileHandle,
  page: bigint,
  { pageSize, size }: { pageSize: number; size: number },
): Promise<Buffer> {
  const pages = BigInt(Math.ceil(size / pageSize));
  if (page >= pages) throw new BboltDamaged('a page lies past its end');
  const offset = Number(page) * pageSize;
  if (offset + PAGE_HEADER > size) throw new BboltDamaged('a page lies past its end');
  const header = await readAt(file, offset, PAGE_HEADER);
  if (header.readBigUInt64LE(0) !== page) throw new BboltDamaged('a page names another number');
  const length = (header.readUInt32LE(12) + 1) * pageSize;
  if (length > MAX_PAGE_BYTES || offset + length > size)
    throw new BboltDamaged('a page lies past its end');
  return readAt(file, offset, length);
}

export function isBranch(page: Buffer): boolean {
  const flags = page.readUInt16LE(8);
  if (flags !== BRANCH && flags !== LEAF) throw new BboltDamaged('a page is of another kind');
  return flags === BRANCH;
}

function branchPages(page: Buffer): bigint[] {
  return elements(page).map((at) => page.readBigUInt64LE(at + 8));
}

function leafBuckets(page: Buffer, budget: { names: number }): string[] {
  return elements(page)
    .filter((at) => (page.readUInt32LE(at) & BUCKET) !== 0)
    .map((at) => {
      const length = page.readUInt32LE(at + 8);
      budget.names -= length;
      if (budget.names < 0) throw new BboltDamaged('it has too many buckets');
      return keyOf(page, at + page.readUInt32LE(at + 4), length);
    });
}

/** Offsets of a page's elements. */
function elements(page: Buffer): number[] {
  const count = page.readUInt16LE(10);
  if (PAGE_HEADER + count * ELEMENT > page.length) throw new BboltDamaged('a page is cut short');
  return Array.from({ length: count }, (_, index) => PAGE_HEADER + index * ELEMENT);
}

function keyOf(page: Buffer, start: number, length: number): string {
  if (length > MAX_NAME_BYTES || start + length > page.length)
    throw new BboltDamaged('a name lies past the end of its page');
  return page.toString('utf8', start, start + length);
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead !== length) throw new BboltDamaged('it ends too soon');
  return buffer;
}
