/** Reads a file of a feed as it is published: plain, or packed with gzip. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MAX_FEED_BYTES, type ParsedFeed, parseFeedFile } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';

const unpack = promisify(gunzip);

/** @throws invalid `FEED_INVALID` */
export async function readFeedFile(bytes: Uint8Array, now: Date): Promise<ParsedFeed> {
  return parseFeedFile(isGzip(bytes) ? await unpackFeed(bytes) : bytes, now);
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** A small file may unpack to any size: the limit holds while it is unpacked. */
async function unpackFeed(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await unpack(bytes, { maxOutputLength: MAX_FEED_BYTES });
  } catch (cause) {
    const why = `the file is cut or damaged, or has more than ${MAX_FEED_BYTES} bytes unpacked`;
    throw invalid('FEED_INVALID', why, { cause });
  }
}
