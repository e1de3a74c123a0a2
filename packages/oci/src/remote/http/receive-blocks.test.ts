import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceiveBlocks } from './receive-blocks.ts';

const BLOCK = 256 * 1024;

/** Writes as a socket does: at most what fits, and on after a full block if the rest is there. */
function receive(blocks: ReceiveBlocks, bytes: Uint8Array): boolean {
  let isFull = false;
  for (let written = 0; written < bytes.byteLength; ) {
    const room = blocks.room();
    const part = bytes.subarray(written, written + room.byteLength);
    room.set(part);
    written += part.byteLength;
    isFull = blocks.filled(part.byteLength);
  }
  return isFull;
}

function takeAll(blocks: ReceiveBlocks): Buffer[] {
  const taken: Buffer[] = [];
  for (let piece = blocks.take(); piece; piece = blocks.take()) taken.push(Buffer.from(piece));
  return taken;
}

describe('blocks of received bytes', () => {
  it('return every byte once and in order, however they arrive and are taken', () => {
    const step = fc.record({
      arrives: fc.nat(3 * BLOCK),
      takes: fc.nat(4),
      back: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const blocks = new ReceiveBlocks();
        const sent: Buffer[] = [];
        const taken: Buffer[] = [];
        for (const { arrives, takes, back } of steps) {
          const bytes = randomBytes(arrives);
          sent.push(bytes);
          receive(blocks, bytes);
          for (let nth = 0; nth < takes; nth += 1) {
            const piece = blocks.take();
            if (!piece) break;
            const kept = Math.max(0, piece.byteLength - back);
            blocks.putBack(piece.byteLength - kept);
            taken.push(Buffer.from(piece.subarray(0, kept)));
          }
        }
        taken.push(...takeAll(blocks));
        expect(Buffer.concat(taken).equals(Buffer.concat(sent))).toBe(true);
        expect(blocks.isEmpty).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('do not overwrite what the reader holds', () => {
    const blocks = new ReceiveBlocks();
    const first = randomBytes(BLOCK);
    receive(blocks, first);
    const held = blocks.take();
    receive(blocks, randomBytes(2 * BLOCK));
    expect(Buffer.from(held ?? '').equals(first)).toBe(true);
  });

  it('stop the reading when one is full, until it is taken', () => {
    const blocks = new ReceiveBlocks();
    expect(receive(blocks, randomBytes(BLOCK - 1))).toBe(false);
    expect(receive(blocks, randomBytes(1))).toBe(true);
    expect(receive(blocks, randomBytes(1))).toBe(true);
    blocks.take();
    blocks.take();
    expect(receive(blocks, randomBytes(1))).toBe(false);
  });

  it('are reused', () => {
    const blocks = new ReceiveBlocks();
    const memory = new Set<ArrayBufferLike>();
    for (let nth = 0; nth < 20; nth += 1) {
      memory.add(blocks.room().buffer);
      receive(blocks, randomBytes(BLOCK));
      takeAll(blocks);
    }
    expect(memory.size).toBe(2);
  });
});
