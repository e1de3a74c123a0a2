import { randomBytes } from 'node:crypto';
import { createGunzip, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fed } from './fed.ts';

const BYTES = randomBytes(300_000);
const PIECE = 1_000;

/** Yields in the same two pieces of memory, and says whether it was let go. */
function piecesOf(bytes: Buffer) {
  const memory = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)];
  const state = { isEnded: false };
  async function* pieces() {
    try {
      for (let at = 0; at < bytes.length; at += PIECE) {
        const [piece] = memory.reverse();
        if (piece) yield piece.subarray(0, bytes.copy(piece, 0, at));
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { pieces: pieces(), state };
}

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

it('unpacks pieces that are written over', async () => {
  const { pieces, state } = piecesOf(gzipSync(BYTES));
  expect((await allOf(fed(createGunzip(), pieces))).equals(BYTES)).toBe(true);
  expect(state.isEnded).toBe(true);
});

it('throws what is wrong with the data, and asks for no more pieces', async () => {
  const packed = gzipSync(BYTES);
  packed[PIECE * 20] = (packed[PIECE * 20] ?? 0) ^ 1;
  const { pieces, state } = piecesOf(packed);
  await expect(allOf(fed(createGunzip(), pieces))).rejects.toThrow('incorrect data check');
  await expect.poll(() => state.isEnded).toBe(true);
});

it('throws where the data ends too early', async () => {
  const { pieces } = piecesOf(gzipSync(BYTES).subarray(0, 100_000));
  await expect(allOf(fed(createGunzip(), pieces))).rejects.toThrow('unexpected end of file');
});

it('throws the fault of a piece', async () => {
  async function* pieces() {
    yield gzipSync(BYTES).subarray(0, 50_000);
    throw new Error('the disk is gone');
  }
  await expect(allOf(fed(createGunzip(), pieces()))).rejects.toThrow('the disk is gone');
});

it('asks for no more pieces where zeros follow the data', async () => {
  const { pieces, state } = piecesOf(Buffer.concat([gzipSync(BYTES), Buffer.alloc(200_000)]));
  expect((await allOf(fed(createGunzip(), pieces))).equals(BYTES)).toBe(true);
  await expect.poll(() => state.isEnded).toBe(true);
});

it('asks for no more pieces where its reader leaves', async () => {
  const { pieces, state } = piecesOf(gzipSync(BYTES));
  for await (const _ of fed(createGunzip(), pieces)) break;
  await expect.poll(() => state.isEnded).toBe(true);
});
