import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedName } from '../json/member-names.ts';
import {
  HEAD_BYTES,
  holdsImageConfig,
  isUnscannedCompression,
  sniffContent,
} from './blob-content.ts';

/** A POSIX header of an empty file. */
function header(name: string, sum: (block: Buffer) => number = unsigned): Buffer {
  const block = Buffer.alloc(HEAD_BYTES);
  block.write(name, 0, 100, 'utf8');
  block.write('0000644\0', 100, 'latin1');
  block.write('00000000000\0', 124, 'latin1');
  block.fill(' ', 148, 156);
  block.write('0', 156, 'latin1');
  block.write(`${sum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
const unsigned = (block: Buffer) => block.reduce((total, byte) => total + byte, 0);
const signed = (block: Buffer) =>
  block.reduce((total, byte) => total + (byte < 128 ? byte : byte - 256), 0);

/** Text that begins like JSON and whose signed checksum is 0. */
function blankChecksum(): Buffer {
  const block = Buffer.alloc(HEAD_BYTES, 'a');
  block.write('{"_type":"', 0, 'latin1');
  for (const [at, width] of [
    [100, 8],
    [108, 8],
    [116, 8],
    [124, 12],
    [136, 12],
  ] as const)
    block.write('0'.padStart(width, ' '), at, 'latin1');
  block.fill(' ', 148, 156);
  block.write('0', 156, 'latin1');
  for (let at = 258; signed(block) > 0; at += 2) block.write('\u0080', at, 'utf8');
  for (let at = 510; signed(block) < 0; at -= 1) {
    const least = Math.min(0x7e, (block[at] ?? 0) - signed(block));
    if ((block[at] ?? 0) < 0x80) block[at] = least;
  }
  return block;
}

describe('the first bytes of a blob', () => {
  it.each([
    ['a tar header', header('bin/sh'), 'archive'],
    ['a tar header with an old, signed checksum', header('b\u00EFn/sh', signed), 'archive'],
    ['a tar header with a blank checksum, which is 0 to Go', blankChecksum(), 'archive'],
    ['the end mark of an empty archive', Buffer.alloc(1024), 'archive'],
    ['a tar header that begins as JSON', header('{"_type":"x"}'), 'archive'],
    ['gzip', gzipSync('x'), 'packed'],
    ['zstd', Buffer.from('28b52ffd00', 'hex'), 'packed'],
    ['a skippable zstd frame', Buffer.from('5f2a4d1800', 'hex'), 'packed'],
    ['bzip2', Buffer.from('BZh9'), 'packed'],
    ['xz', Buffer.from('fd377a585a0000', 'hex'), 'packed'],
    ['WebAssembly', Buffer.from('0061736d01000000', 'hex'), 'program'],
    ['an object', Buffer.from('\n {"_type":1}'), 'json'],
    ['an array', Buffer.from('[]'), 'json'],
    ['XML', Buffer.from('<?xml version="1.0"?>'), 'text'],
    ['a character cut in two', Buffer.from('{"a":"\u00E9').subarray(0, 7), 'json'],
    ['control characters', Buffer.from('{"a":\0}'), 'data'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe]), 'data'],
    ['nothing', Buffer.alloc(0), 'empty'],
    ['a short block of zeros', Buffer.alloc(100), 'data'],
    ['a block with a wrong checksum', Buffer.from(header('a').fill('1', 148, 154)), 'data'],
  ])('of %s are %s', (_, bytes, expected) => {
    expect(sniffContent(bytes.subarray(0, HEAD_BYTES))).toBe(expected);
  });

  it('show an archive whatever its first file is called', () => {
    const name = fc
      .string({ unit: 'binary', maxLength: 30 })
      .filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(name, (text) => {
        expect(sniffContent(header(text))).toBe('archive');
      }),
    );
  });
});

it.each([
  ['of an image', '{"rootfs":{"diff_ids":[]}}', true],
  ['of an image to readers written in Go', '{"rootf\u017F":{}}', true],
  ['of an artifact', '{}', false],
  ['that is a list', '["rootfs"]', false],
  ['of an image after a list', '{"a":[{"rootfs":1},"]}",[[]]],"rootfs":{}}', true],
  ['of an image by an escaped name', '{"\\u0072\\u006f\\u006f\\u0074\\u0066\\u0073":{}}', true],
  ['of an image in other letters', '{ "RootFS" : null }', true],
  ['of an image after a byte order mark', '\uFEFF{"rootfs":{}}', true],
  ['with the name below the top', '{"a":{"rootfs":{}}}', false],
  ['with the name as a value', '{"a":"rootfs","b":["rootfs"]}', false],
  ['with the name in a string', '{"a":"\\"rootfs\\":{"}', false],
  ['with a longer name', `{"rootfs${'s'.repeat(100)}":{}}`, false],
  ['that is text', '"rootfs"', false],
  ['that is no JSON', 'rootfs', false],
  ['that is empty', '', false],
])("a configuration %s: it is an image's: %s", async (_, text, expected) => {
  const bytes = Buffer.from(text);
  for (const size of [1, 3, bytes.length || 1])
    expect(await holdsImageConfig(chunksOf(bytes, size))).toBe(expected);
});

it("a configuration is an image's where a parser finds its member", async () => {
  const name = fc.oneof(
    fc.constantFrom('rootfs', 'ROOTFS', 'rootf\u017F', 'root', 'a"b\\'),
    fc.string(),
  );
  const document = fc.oneof(fc.dictionary(name, fc.jsonValue()), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 50 }), async (value, size) => {
      const names =
        value && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
      const expected = names.some((each) => foldedName(each) === 'rootfs');
      const bytes = Buffer.from(JSON.stringify(value));
      expect(await holdsImageConfig(chunksOf(bytes, size))).toBe(expected);
    }),
  );
});

it('a configuration of megabytes is scanned in turns with other work', async () => {
  const bytes = Buffer.from(`{"a":[${'{},'.repeat(600_000)}{}],"rootfs":{}}`);
  let turns = 0;
  const beside = setInterval(() => (turns += 1), 0);
  try {
    expect(await holdsImageConfig(chunksOf(bytes, bytes.length))).toBe(true);
  } finally {
    clearInterval(beside);
  }
  expect(turns).toBeGreaterThanOrEqual(4);
});

async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it.each([
  ['gzip', '1f8b08', false],
  ['zstd', '28b52ffd', false],
  ['bzip2', '425a6839', true],
  ['xz', 'fd377a585a00', true],
  ['lz4', '04224d18', true],
  ['a skippable zstd frame', '502a4d18', true],
  ['a tar archive', '62696e2f7368', false],
])('%s: unpacked by engines and not by the scanner is %3$s', (_, hex, expected) => {
  expect(isUnscannedCompression(Buffer.from(hex, 'hex'))).toBe(expected);
});
