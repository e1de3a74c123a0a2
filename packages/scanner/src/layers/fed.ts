import { once } from 'node:events';
import type { Transform } from 'node:stream';

/**
 * A decompressor that gets the pieces one after the other. A piece may be written over once the
 * next but one is asked for. Faults, of the pieces as well, are thrown to its reader; where that
 * leaves, no more pieces are asked for. A pipeline of streams costs as much CPU time as a hash.
 */
export function fed<Into extends Transform>(into: Into, pieces: AsyncIterable<Uint8Array>): Into {
  void feed(into, pieces);
  return into;
}

async function feed(into: Transform, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  // After the end of its data it calls back no more.
  const left = once(into, 'close').then(() => Promise.reject(new Error('the reader is gone')));
  left.catch(() => {});
  let taken: Promise<unknown> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      await taken;
      taken = Promise.race([take(into, piece), left]);
      // It is awaited once there is another piece.
      taken.catch(() => {});
    }
    await taken;
    into.end();
  } catch (error) {
    into.destroy(
      error instanceof Error ? error : new Error('a piece is missing', { cause: error }),
    );
  }
}

function take(into: Transform, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    into.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
