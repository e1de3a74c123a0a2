import { createHash, randomBytes } from 'node:crypto';
import { makeCertificate } from '@portcullis/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startRawServer, startServer, transportOf } from './server.contract.ts';

const trust = { verify: false };

async function read(url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const answer = await transportOf({ retries: 0 }).open({ url: new URL(url), trust });
  for await (const chunk of answer.chunks) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Writes a response in pieces, cut at these positions, each as a separate packet. */
async function startPieces(answer: Buffer, cuts: number[]) {
  return startRawServer(async (socket) => {
    socket.setNoDelay(true);
    const offsets = [
      ...new Set([0, ...cuts.map((cut) => cut % answer.length), answer.length]),
    ].sort((a, b) => a - b);
    for (let n = 1; n < offsets.length; n++) {
      socket.write(answer.subarray(offsets[n - 1], offsets[n]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

describe('a body', () => {
  it('in chunks is the same however the network splits it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 }),
        fc.array(fc.nat(500), { maxLength: 8 }),
        async (parts, cuts) => {
          const body = parts.map((part) =>
            Buffer.concat([
              Buffer.from(`${part.length.toString(16)};x=y\r\n`),
              part,
              Buffer.from('\r\n'),
            ]),
          );
          const head = Buffer.from(
            'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
          );
          const server = await startPieces(
            Buffer.concat([head, ...body, Buffer.from('0\r\nTrailer: x\r\n\r\n')]),
            cuts,
          );
          expect((await read(server.url)).equals(Buffer.concat(parts))).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('with a length is the same however the network splits it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat(500), { maxLength: 8 }),
        async (bytes, cuts) => {
          const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
          const server = await startPieces(Buffer.concat([head, bytes]), cuts);
          expect((await read(server.url)).equals(Buffer.from(bytes))).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('over TLS arrives in larger pieces than its records of 16 KiB', async () => {
    const body = randomBytes(8 << 20);
    const server = await startServer(
      (_, response) => response.writeHead(200, { 'content-length': body.length }).end(body),
      makeCertificate(),
    );
    const answer = await transportOf().open({ url: new URL(server.url), trust });
    const sizes: number[] = [];
    for await (const chunk of answer.chunks) sizes.push(chunk.byteLength);
    expect(Math.max(...sizes)).toBeGreaterThan(32 << 10);
  });

  it('of HTTP/1.0 ends with the connection', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.0 200 OK\r\n\r\nto the end'),
    );
    expect((await read(server.url)).toString()).toBe('to the end');
  });

  it.each([
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a head that never ends', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    [
      'a chunk that is longer than its size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
    ],
    ['an unrequested protocol switch', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('of a server with %s is refused', async (_, answer) => {
    const server = await startRawServer((socket) => socket.write(answer));
    await expect(read(server.url)).rejects.toMatchObject({ code: 'REGISTRY_ANSWER_INVALID' });
  });

  it.each([
    ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'],
  ])('%s that is truncated is an error', async (_, answer) => {
    const server = await startRawServer((socket) => socket.end(answer));
    await expect(read(server.url)).rejects.toMatchObject({ code: 'REGISTRY_UNREACHABLE' });
  });

  it('never mixes with the next response on its connection', async () => {
    const server = await startRawServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n'),
    );
    const transport = transportOf();
    for (let n = 0; n < 2; n++) {
      const answer = await transport.open({ url: new URL(server.url), trust });
      for await (const chunk of answer.chunks) expect(Buffer.from(chunk).toString()).toBe('ok');
    }
    expect(server.connections()).toBe(2);
  });

  it.each([
    ['in plain text', undefined],
    ['over TLS', makeCertificate()],
  ])(
    'of any size takes no more memory than a small one, and waits for its reader (%s)',
    async (_, certificate) => {
      const piece = randomBytes(1 << 20);
      const pieces = 192;
      const sent: number[] = [];
      const server = await startServer(async (_request, response) => {
        const n = sent.push(0) - 1;
        response.writeHead(200, { 'content-length': pieces * piece.length });
        for (let made = 0; made < pieces; sent[n] = ++made)
          if (!response.write(piece))
            await new Promise((resolve) => response.once('drain', resolve));
        response.end();
      }, certificate);
      const answer = await transportOf().open({ url: new URL(server.url), trust });
      const hash = createHash('sha256').update((await answer.chunks.next()).value ?? '');
      // Another download of the same server is complete before the first is read on.
      const other = await transportOf().open({ url: new URL(server.url), trust });
      for await (const chunk of other.chunks) expect(chunk.length).toBeGreaterThan(0);
      expect(sent[1]).toBe(pieces);
      expect(sent[0]).toBeLessThan(32);
      const before = process.memoryUsage();
      let most = 0;
      for await (const chunk of answer.chunks) {
        hash.update(chunk);
        const { external, arrayBuffers } = process.memoryUsage();
        most = Math.max(most, external - before.external, arrayBuffers - before.arrayBuffers);
      }
      const whole = createHash('sha256');
      for (let n = 0; n < pieces; n++) whole.update(piece);
      expect(hash.digest('hex')).toBe(whole.digest('hex'));
      expect(most).toBeLessThan(48 << 20);
    },
  );
});
