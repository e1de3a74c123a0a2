import { describe, expect, it } from 'vitest';
import { writeCommand } from './redis-protocol.ts';
import { watchReads } from './redis-reads.ts';

const SENT = Buffer.concat([
  writeCommand(['CLIENT', 'SETINFO', 'LIB-NAME', 'go-redis']),
  writeCommand(['get', 'fanal::blob::sha256:aa']),
  writeCommand(['SET', 'fanal::blob::sha256:aa', '*1\r\n$3\r\nGET\r\n'.repeat(100), 'ex', '60']),
  writeCommand(['GET', 'x'.repeat(600)]),
  writeCommand(['PING']),
  writeCommand(['GET', 'fanal::artifact::sha256:bb']),
]);

describe('the keys that a client of Redis reads', () => {
  it.each([1, 2, 7, 64, 5_000])('are recorded from pieces of %i bytes', (size) => {
    const reads = watchReads();
    const watch = reads.connection();
    for (let at = 0; at < SENT.length; at += size) watch(SENT.subarray(at, at + size));
    expect(reads.take()).toEqual(['fanal::blob::sha256:aa', '', 'fanal::artifact::sha256:bb']);
    expect(reads.take()).toEqual([]);
  });

  it('of several connections are recorded in the order of their arrival', () => {
    const reads = watchReads();
    const [one, other] = [reads.connection(), reads.connection()];
    const half = writeCommand(['GET', 'a']);
    one(half.subarray(0, 9));
    other(writeCommand(['GET', 'b']));
    one(half.subarray(9));
    expect(reads.take()).toEqual(['b', 'a']);
  });

  it.each(['PING\r\n', '*1\r\n:5\r\n', '*x\r\n', '$5\r\nhello\r\n', '9'.repeat(40)])(
    'are unknown once a client sends %j',
    (text) => {
      const reads = watchReads();
      reads.connection()(Buffer.from(text));
      expect(reads.take()).toBeNull();
      expect(reads.take()).toBeNull();
    },
  );
});
