/**
 * Bytes that a connection has received and its reader has not taken, in blocks that are reused. The
 * kernel and TLS write into a block directly. Blocks are not aligned to those of the body: Linux
 * allocates large pages for aligned writes, which is slow where its memory is fragmented.
 */

/** Smaller blocks cost more system calls and events; larger ones do not fit in the CPU's cache. */
const BLOCK_BYTES = 256 * 1024;

interface Block {
  readonly bytes: Buffer;
  /** First byte that the reader has not taken. */
  start: number;
  /** First byte that is free. */
  end: number;
}

export class ReceiveBlocks {
  /** The reader may hold bytes of the first block; bytes arrive in the last one. */
  readonly #blocks: [Block, ...Block[]] = [emptyBlock()];
  readonly #spare: Block[] = [];

  get isEmpty(): boolean {
    const [first, ...others] = this.#blocks;
    return first.start === first.end && others.every(({ end }) => end === 0);
  }

  /** Where the next bytes go. Never bytes that the reader may hold. */
  room(): Uint8Array {
    const { bytes, end } = this.#last();
    return bytes.subarray(end);
  }

  /** Notes bytes that were written to `room()`. True if a block is full: reading should stop. */
  filled(count: number): boolean {
    const last = this.#last();
    last.end += count;
    if (last.end === BLOCK_BYTES) this.#blocks.push(this.#nextBlock());
    return this.#blocks.length > 1;
  }

  /** The bytes of one block; valid until the next call. */
  take(): Uint8Array | undefined {
    this.#release();
    const [first] = this.#blocks;
    if (first.start === first.end) return undefined;
    const piece = first.bytes.subarray(first.start, first.end);
    first.start = first.end;
    return piece;
  }

  /** Puts back the last bytes that were taken. */
  putBack(count: number): void {
    this.#blocks[0].start -= count;
  }

  #last(): Block {
    return this.#blocks.at(-1) ?? this.#blocks[0];
  }

  #release(): void {
    const [first, second, ...others] = this.#blocks;
    if (!second || first.start < first.end) return;
    this.#blocks.splice(0, Number.POSITIVE_INFINITY, second, ...others);
    this.#spare.push(first);
  }

  #nextBlock(): Block {
    const spare = this.#spare.pop();
    return spare ? Object.assign(spare, { start: 0, end: 0 }) : emptyBlock();
  }
}

function emptyBlock(): Block {
  return { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), start: 0, end: 0 };
}
