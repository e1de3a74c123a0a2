import { jar } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { readZipDirectory } from './zip-directory.ts';

const ARCHIVE = jar({ 'a.txt': 'a', 'b/ä.class': 'b' });
const names = { names: ['a.txt', 'b/ä.class'] };
const read = (bytes: Uint8Array, size = bytes.length) => readZipDirectory(bytes, size);

/**
 * The same with the records of ZIP64 before the end, as archives of more than 65,535 files have.
 */
function zip64(archive: Buffer): Buffer {
  const at = archive.length - 22;
  const [count, length] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 12)];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at), 8);
  const end = Buffer.from(archive.subarray(at));
  end.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, at), record, locator, end]);
}

function withComment(archive: Buffer, length: number): Buffer {
  const bytes = Buffer.concat([archive, Buffer.alloc(length, 'x')]);
  bytes.writeUInt16LE(length, archive.length - 2);
  return bytes;
}

it.each<[string, Uint8Array]>([
  ['as it is', ARCHIVE],
  ['after a script', Buffer.concat([Buffer.from('#!/bin/sh\nexec java\n'), ARCHIVE])],
  ['with a comment', withComment(ARCHIVE, 65_535)],
  ['with the records of ZIP64', zip64(ARCHIVE)],
])('the names of an archive are read: %s', (_, bytes) => {
  expect(read(bytes)).toEqual(names);
});

it('they are read from the last bytes', () => {
  const tail = ARCHIVE.subarray(40);
  expect(read(tail, ARCHIVE.length)).toEqual(names);
  expect(read(ARCHIVE.subarray(-60), ARCHIVE.length)).toBe('beyond');
  expect(read(zip64(ARCHIVE).subarray(40), zip64(ARCHIVE).length)).toEqual(names);
});

it('an archive without entries has no names', () => {
  expect(read(jar({}))).toEqual({ names: [] });
});

it.each<[string, Uint8Array]>([
  ['empty', Buffer.alloc(0)],
  ['no archive', Buffer.from('x'.repeat(100))],
  ['truncated', ARCHIVE.subarray(0, -1)],
  ['without its beginning', ARCHIVE.subarray(-60)],
])('what is %s is invalid', (_, bytes) => {
  expect(read(bytes)).toBe('invalid');
});

it('what has another number of entries than it states is invalid', () => {
  const bytes = Buffer.from(ARCHIVE);
  bytes.writeUInt16LE(3, bytes.length - 12);
  expect(read(bytes)).toBe('invalid');
});
