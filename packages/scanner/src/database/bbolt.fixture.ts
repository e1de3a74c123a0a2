/**
 * Writes bbolt files with given top-level buckets for tests, as a tree of as many pages as the
 * names need.
 */

import { fnv1a } from './bbolt.ts';

const PAGE_HEADER = 16;
const ELEMENT = 16;

export interface BboltShape {
  names: string[];
  pageSize?: number;
  /** Names per leaf page, and child pages per branch page. */
  fanOut?: number;
}

export function bboltFile({ names, pageSize = 4_096, fanOut = 8 }: BboltShape): Buffer {
  const pages: Buffer[] = [];
  const add = (make: (id: number) => Buffer): number => {
    const id = 2 + pages.reduce((sum, page) => sum + page.length / pageSize, 0);
    pages.push(make(id));
    return id;
  };
  let level = chunks([...names].sort(byBytes), fanOut).map((some) => ({
    key: some[0] ?? '',
    id: add((id) => leaf(id, some, pageSize)),
  }));
  while (level.length > 1) {
    level = chunks(level, fanOut).map((some) => ({
      key: some[0]?.key ?? '',
      id: add((id) => branch(id, some, pageSize)),
    }));
  }
  const root = level[0]?.id ?? 2;
  return Buffer.concat([meta(0, root, 1, pageSize), meta(1, root, 2, pageSize), ...pages]);
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function chunks<T>(all: T[], size: number): T[][] {
  const count = Math.max(1, Math.ceil(all.length / size));
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}

function meta(id: number, root: number, transaction: number, pageSize: number): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeBigUInt64LE(BigInt(id), 0);
  page.writeUInt16LE(0x04, 8);
  const body = page.subarray(PAGE_HEADER);
  body.writeUInt32LE(0xed0cdaed, 0);
  body.writeUInt32LE(2, 4);
  body.writeUInt32LE(pageSize, 8);
  body.writeBigUInt64LE(BigInt(root), 16);
  body.writeBigUInt64LE(BigInt(transaction), 48);
  body.writeBigUInt64LE(fnv1a(body.subarray(0, 56)), 56);
  return page;
}

function leaf(id: number, names: string[], pageSize: number): Buffer {
  return page(id, 0x02, names, pageSize, (element, pos, ksize) => {
    element.writeUInt32LE(1, 0);
    element.writeUInt32LE(pos, 4);
    element.writeUInt32LE(ksize, 8);
  });
}

function branch(id: number, children: { key: string; id: number }[], pageSize: number): Buffer {
  const keys = children.map(({ key }) => key);
  return page(id, 0x01, keys, pageSize, (element, pos, ksize, index) => {
    element.writeUInt32LE(pos, 0);
    element.writeUInt32LE(ksize, 4);
    element.writeBigUInt64LE(BigInt(children[index]?.id ?? 0), 8);
  });
}

function page(
  id: number,
  flags: number,
  keys: string[],
  pageSize: number,
  write: (element: Buffer, pos: number, ksize: number, index: number) => void,
): Buffer {
  const bytes = keys.map((key) => Buffer.from(key));
  const length =
    PAGE_HEADER + keys.length * ELEMENT + bytes.reduce((sum, key) => sum + key.length, 0);
  const pages = Math.max(1, Math.ceil(length / pageSize));
  const into = Buffer.alloc(pages * pageSize);
  into.writeBigUInt64LE(BigInt(id), 0);
  into.writeUInt16LE(flags, 8);
  into.writeUInt16LE(keys.length, 10);
  into.writeUInt32LE(pages - 1, 12);
  let at = PAGE_HEADER + keys.length * ELEMENT;
  for (const [index, key] of bytes.entries()) {
    const start = PAGE_HEADER + index * ELEMENT;
    write(into.subarray(start, start + ELEMENT), at - start, key.length, index);
    key.copy(into, at);
    at += key.length;
  }
  return into;
}
