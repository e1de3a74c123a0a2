/**
 * Splits zstd data (RFC 8878) so that no chunk crosses the end of a frame, and drops skippable
 * frames. Node 24's decompressor drops what follows a frame within one chunk, and `zstd:chunked`
 * layers have many frames.
 */
import { type ByteReader, byteReader } from './byte-reader.ts';

const FRAME = 0xfd2fb528;

export async function* zstdFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = byteReader(source[Symbol.asyncIterator]());
  for (;;) {
    const magic = await reader.take(4);
    if (magic === null) return;
    const number = littleEndian(magic);
    if (number === FRAME) yield* frame(magic, reader);
    else if (number >>> 4 === 0x184d2a5)
      await reader.skip(littleEndian(await readNeeded(reader, 4)));
    else throw new Error('this is no zstd data');
  }
}

async function* frame(magic: Uint8Array, reader: ByteReader): AsyncGenerator<Uint8Array> {
  const descriptor = await readNeeded(reader, 1);
  const flags = descriptor[0] ?? 0;
  yield Buffer.concat([magic, descriptor, await readNeeded(reader, headerLength(flags))]);
  for (;;) {
    const header = await readNeeded(reader, 3);
    const number = littleEndian(header);
    const isRunLength = ((number >> 1) & 3) === 1;
    yield Buffer.concat([header, await readNeeded(reader, isRunLength ? 1 : number >> 3)]);
    if (number & 1) break;
  }
  if (flags & 0b100) yield await readNeeded(reader, 4);
}

/** RFC 8878 § 3.1.1.1: window, dictionary and content size. */
function headerLength(flags: number): number {
  const isSingle = (flags & 0b10_0000) !== 0;
  const dictionary = [0, 1, 2, 4][flags & 3] ?? 0;
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  return (isSingle ? 0 : 1) + dictionary + contentSize;
}

async function readNeeded(reader: ByteReader, length: number): Promise<Uint8Array> {
  const bytes = await reader.take(length);
  if (bytes === null) throw new Error('the zstd data ends too early');
  return bytes;
}

function littleEndian(bytes: Uint8Array): number {
  return Buffer.from(bytes).readUIntLE(0, bytes.length);
}
