/**
 * Reads all entries of a bbolt file in the order of their keys, one page at a time, so that files
 * of hundreds of megabytes need little memory. It reads synchronously: only a separate process
 * uses it (compare-databases.ts). As in bbolt.ts, each offset is checked before use.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BboltDamaged, isBranch, type Meta, PAGE_HEADER, readMeta } from './bbolt.ts';

/** The keys and values of one bucket; null where a key has a bucket instead of a value. */
export interface Entry {
  key: Buffer;
  value: Buffer | null;
  bucket: BucketRoot | null;
}

/** A page in the file, or the page that a small bucket has in place. */
export type BucketRoot = { page: bigint } | { inline: Buffer };

export interface BboltTree extends Disposable {
  root: BucketRoot;
  entries(bucket: BucketRoot): Generator<Entry, void>;
}

const ELEMENT = 16;
const BUCKET_HEADER = 16;
const BUCKET_FLAG = 0x01;
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 64;

/** @throws BboltDamaged; the system's error */
export async function openTree(path: string): Promise<BboltTree> {
  const meta = await readMeta(path);
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const budget = { pages: Math.ceil(size / meta.pageSize) };
  const read = (page: bigint) => readPage(file, page, { ...meta, size, budget });

  function* below(bucket: BucketRoot, depth: number): Generator<Entry, void> {
    if (depth > MAX_DEPTH) throw new BboltDamaged('its pages do not form a tree');
    const bytes = 'page' in bucket ? read(bucket.page) : bucket.inline;
    if (!isBranch(bytes)) return yield* leafEntries(bytes);
    for (const at of elements(bytes))
      yield* below({ page: bytes.readBigUInt64LE(at + 8) }, depth + 1);
  }

  return {
    root: { page: meta.root },
    *entries(bucket) {
      let last: Buffer | null = null;
      for (const entry of below(bucket, 0)) {
        if (last && Buffer.compare(last, entry.key) >= 0)
          throw new BboltDamaged('its keys are not sorted');
        last = entry.key;
        yield entry;
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

interface Limits extends Meta {
  size: number;
  /** No page is read twice by one walk, so a file can't make it endless. */
  budget: { pages: number };
}

function readPage(file: number, page: bigint, { pageSize, size, budget }: Limits): Buffer {
  if (budget.pages-- <= 0) throw new BboltDamaged('its pages do not form a tree');
  const offset = Number(page) * pageSize;
  if (!Number.isSafeInteger(offset) || offset + pageSize > size)
    throw new BboltDamaged('a page lies past its end');
  const first = readAt(file, offset, pageSize);
  if (first.readBigUInt64LE(0) !== page) throw new BboltDamaged('a page names another number');
  const length = (first.readUInt32LE(12) + 1) * pageSize;
  if (length > MAX_PAGE_BYTES || offset + length > size)
    throw new BboltDamaged('a page lies past its end');
  return length === pageSize ? first : readAt(file, offset, length);
}

function* leafEntries(page: Buffer): Generator<Entry, void> {
  for (const at of elements(page)) {
    const start = at + page.readUInt32LE(at + 4);
    const middle = start + page.readUInt32LE(at + 8);
    const end = middle + page.readUInt32LE(at + 12);
    if (end > page.length) throw new BboltDamaged('a value lies past the end of its page');
    const key = page.subarray(start, middle);
    const value = page.subarray(middle, end);
    const isBucket = (page.readUInt32LE(at) & BUCKET_FLAG) !== 0;
    yield isBucket ? { key, value: null, bucket: rootOf(value) } : { key, value, bucket: null };
  }
}

function rootOf(value: Buffer): BucketRoot {
  if (value.length < BUCKET_HEADER) throw new BboltDamaged('a bucket is cut short');
  const page = value.readBigUInt64LE(0);
  if (page !== 0n) return { page };
  const inline = value.subarray(BUCKET_HEADER);
  if (inline.length < PAGE_HEADER) throw new BboltDamaged('a bucket is cut short');
  return { inline };
}

function elements(page: Buffer): number[] {
  const count = page.readUInt16LE(10);
  if (PAGE_HEADER + count * ELEMENT > page.length) throw new BboltDamaged('a page is cut short');
  return Array.from({ length: count }, (_, index) => PAGE_HEADER + index * ELEMENT);
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, length, offset) !== length)
    throw new BboltDamaged('it ends too soon');
  return bytes;
}
