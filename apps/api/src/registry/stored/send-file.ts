/**
 * Sends a range of a file. The next part is read while the client receives one, into buffers that
 * are used again: new ones would cost as much as the copying.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Response } from 'express';
import type { ByteRange } from './byte-range.ts';

const PART_BYTES = 256 * 1024;
/** Beyond `MOST_LARGE` responses at once, whose clients may be slow. */
const SMALL_PART_BYTES = 32 * 1024;
const MOST_LARGE = 128;
let sending = 0;

/** A client that disconnects, or a file that can't be read, ends the response. */
export async function sendFile(
  file: FileHandle,
  { start, end }: ByteRange,
  response: Response,
): Promise<void> {
  const size = sending < MOST_LARGE ? PART_BYTES : SMALL_PART_BYTES;
  const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const;
  let position = start;
  const read = async (turn: number) => {
    const wanted = Math.min(size, end + 1 - position);
    const buffer = buffers[turn % 2 === 0 ? 0 : 1];
    const { bytesRead } = await file.read(buffer, 0, wanted, position);
    if (bytesRead === 0) throw new Error('the file is shorter than it was');
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  sending += 1;
  try {
    let part = await read(0);
    for (let turn = 1; position <= end; turn += 1) {
      const [next] = await Promise.all([read(turn), write(response, part)]);
      part = next;
    }
    await write(response, part);
    response.end();
  } catch {
    response.destroy();
  } finally {
    sending -= 1;
  }
}

/** Resolves when the buffer may be used again. */
function write(response: Response, part: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = () => reject(new Error('the client disconnected'));
  response.once('close', gone);
  response.write(part, (error) => {
    response.off('close', gone);
    if (error) reject(error);
    else resolve();
  });
  return promise;
}
