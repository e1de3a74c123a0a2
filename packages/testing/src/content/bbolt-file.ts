/**
 * Writes bbolt files (go.etcd.io/bbolt, format version 2) with nested buckets, as Trivy reads them.
 * Each bucket is one leaf page with as many overflow pages as its entries need.
 */

/** A bucket: keys with values, or with further buckets. */
export interface BboltBucket {
  [key: string]: string | BboltBucket;
}

const PAGE = 4_096;
const PAGE_HEADER = 16;
const ELEMENT = 16;
const LEAF = 0x02;
const META = 0x04;
const FREELIST = 0x10;
const FREELIST_PAGE = 2;

export function bboltFile(root: BboltBucket): Buffer {
  const pages: Buffer[] = [];
  const nextPage = () =>
    FREELIST_PAGE + 1 + pages.reduce((sum, { length }) => sum + length, 0) / PAGE;
  const write = (bucket: BboltBucket): number => {
    const entries = Object.keys(bucket)
      .map((key) => ({ key: Buffer.from(key), content: bucket[key] ?? '' }))
      .sort((one, other) => Buffer.compare(one.key, other.key))
      .map(({ key, content }) =>
        typeof content === 'string'
          ? { key, value: Buffer.from(content), isBucket: false }
          : { key, value: bucketHeader(write(content)), isBucket: true },
      );
    const id = nextPage();
    pages.push(leaf(id, entries));
    return id;
  };
  const rootPage = write(root);
  const metas = [0, 1].map((id) => meta(id, rootPage, nextPage()));
  return Buffer.concat([...metas, page(FREELIST_PAGE, FREELIST, 0, PAGE), ...pages]);
}

interface LeafEntry {
  key: Buffer;
  value: Buffer;
  isBucket: boolean;
}

function leaf(id: number, entries: LeafEntry[]): Buffer {
  const start = PAGE_HEADER + entries.length * ELEMENT;
  const length = entries.reduce((sum, { key, value }) => sum + key.length + value.length, start);
  const into = page(id, LEAF, entries.length, Math.ceil(length / PAGE) * PAGE);
  let content = start;
  for (const [nth, { key, value, isBucket }] of entries.entries()) {
    const element = PAGE_HEADER + nth * ELEMENT;
    into.writeUInt32LE(isBucket ? 1 : 0, element);
    into.writeUInt32LE(content - element, element + 4);
    into.writeUInt32LE(key.length, element + 8);
    into.writeUInt32LE(value.length, element + 12);
    content += key.copy(into, content);
    content += value.copy(into, content);
  }
  return into;
}

/** The page of its entries; the sequence stays 0. */
function bucketHeader(rootPage: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeBigUInt64LE(BigInt(rootPage), 0);
  return header;
}

/** The one with the higher transaction, which is the second, counts. */
function meta(id: number, rootPage: number, pages: number): Buffer {
  const into = page(id, META, 0, PAGE);
  const body = into.subarray(PAGE_HEADER);
  body.writeUInt32LE(0xed0cdaed, 0);
  body.writeUInt32LE(2, 4);
  body.writeUInt32LE(PAGE, 8);
  body.writeBigUInt64LE(BigInt(rootPage), 16);
  body.writeBigUInt64LE(BigInt(FREELIST_PAGE), 32);
  body.writeBigUInt64LE(BigInt(pages), 40);
  body.writeBigUInt64LE(BigInt(id + 1), 48);
  body.writeBigUInt64LE(fnv1a(body.subarray(0, 56)), 56);
  return into;
}

function page(id: number, flags: number, count: number, length: number): Buffer {
  const into = Buffer.alloc(length);
  into.writeBigUInt64LE(BigInt(id), 0);
  into.writeUInt16LE(flags, 8);
  into.writeUInt16LE(count, 10);
  into.writeUInt32LE(length / PAGE - 1, 12);
  return into;
}

/** 64-bit FNV-1a. */
function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
