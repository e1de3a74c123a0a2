/**
 * A file that a separate thread reads while another thread or process writes it. Reads don't wait
 * for the pool of Node's threads: that costs as much CPU time as the bytes.
 */
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Gives the memory of the next piece. */
export type PieceMemory = () => Buffer;

/** As the pieces of `createReadStream` in `layer-archive.ts`. */
const PIECE = 64 * 1024;

/** Pieces stay as they are. */
export const ownMemory: PieceMemory = () => Buffer.allocUnsafeSlow(PIECE);

/** A piece is written over when the next but one is read. */
export function sharedMemory(): PieceMemory {
  let [next, other] = [ownMemory(), ownMemory()];
  return () => {
    [next, other] = [other, next];
    return next;
  };
}

/** Between two looks at a file that does not grow, in milliseconds. */
const PAUSE = { shortest: 1, longest: 100 };

/** Yields the bytes from `start` up to `end`, and waits for those that are not there yet. */
export async function* growingFile(
  file: FileHandle,
  start: number,
  end: number,
  memory: PieceMemory = ownMemory,
): AsyncGenerator<Buffer> {
  let pause = PAUSE.shortest;
  let piece = memory();
  for (let position = start; position < end; ) {
    const bytesRead = readSync(file.fd, piece, 0, Math.min(PIECE, end - position), position);
    if (bytesRead === 0) {
      await wait(pause);
      pause = Math.min(2 * pause, PAUSE.longest);
      continue;
    }
    pause = PAUSE.shortest;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
    piece = memory();
  }
}
