import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyContent } from '../copy/verified.ts';
import { bytesOf } from '../target-contract/content.ts';
import { blobDescriptor, repositoryAt, startServer } from './http/server.contract.ts';

const bytes = randomBytes(10_000);
const descriptor = blobDescriptor(bytes);

/** Knows only ranges with an end, and says 416 to all others. */
function endedRangesOnly(content: Buffer, contentRange?: string) {
  return startServer(({ headers }, response) => {
    const { range } = headers;
    if (range === undefined) return void response.writeHead(200).end(content);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (from === undefined || Number(from) >= content.length)
      return void response
        .writeHead(416, contentRange === undefined ? {} : { 'content-range': contentRange })
        .end();
    const last = Math.min(Number(to), content.length - 1);
    const stated = `bytes ${from}-${last}/${content.length}`;
    response
      .writeHead(206, { 'content-range': stated })
      .end(content.subarray(Number(from), last + 1));
  });
}

describe('a registry that knows no range without an end', () => {
  it.each([1, 5_000, 9_999])('is asked for one with an end, from byte %i', async (offset) => {
    const server = await endedRangesOnly(bytes);
    const content = await repositoryAt(server).fetch(descriptor, { offset });
    expect(content.offset).toBe(offset);
    expect((await bytesOf(content)).equals(bytes.subarray(offset))).toBe(true);
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      `bytes=${offset}-`,
      `bytes=${offset}-9999`,
    ]);
  });

  it('has a blob of another size where it refuses that one too', async () => {
    const server = await endedRangesOnly(bytes.subarray(0, 4_000));
    await expect(repositoryAt(server).fetch(descriptor, { offset: 5_000 })).rejects.toMatchObject({
      code: 'SIZE_MISMATCH',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('is believed at once where it states the size', async () => {
    const server = await endedRangesOnly(bytes.subarray(0, 4_000), 'bytes */4000');
    await expect(repositoryAt(server).fetch(descriptor, { offset: 5_000 })).rejects.toMatchObject({
      code: 'SIZE_MISMATCH',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is not asked for a range where the whole blob is wanted', async () => {
    const server = await endedRangesOnly(bytes);
    const content = verifyContent(await repositoryAt(server).fetch(descriptor), descriptor);
    expect((await bytesOf(content)).equals(bytes)).toBe(true);
    expect(server.requests).toHaveLength(1);
  });
});
