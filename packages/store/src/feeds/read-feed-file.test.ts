import { gzipSync } from 'node:zlib';
import { MAX_FEED_BYTES } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { readFeedFile } from './read-feed-file.ts';

const NOW = new Date('2026-11-23T00:00:00Z');
const PLAIN = Buffer.from(
  '#model_version:v1,score_date:2026-11-22T00:00:00Z\ncve,epss,percentile\nCVE-2021-44228,0.9,0.9\n',
);

describe('a file of a feed', () => {
  it.each([
    ['plain', PLAIN],
    ['packed', gzipSync(PLAIN)],
    [
      'packed in two members',
      Buffer.concat([gzipSync(PLAIN.subarray(0, 40)), gzipSync(PLAIN.subarray(40))]),
    ],
  ])('is read %s', async (_, bytes) => {
    expect(await readFeedFile(bytes, NOW)).toMatchObject({ kind: 'epss', version: 'v1' });
  });

  it.each([
    ['cut', gzipSync(PLAIN).subarray(0, -9)],
    ['damaged', gzipSync(PLAIN).fill(7, 20, 30)],
    ['larger than the limit once unpacked', gzipSync(Buffer.alloc(MAX_FEED_BYTES + 1))],
    ['empty', Buffer.alloc(0)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(readFeedFile(bytes, NOW)).rejects.toMatchObject({ code: 'FEED_INVALID' });
  });
});
