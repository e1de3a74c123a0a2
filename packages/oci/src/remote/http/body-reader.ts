/**
 * Reads an HTTP/1.1 response from a connection: its head, then its body by Content-Length, chunked
 * or close.
 */

import type { RawConnection } from './raw-connection.ts';
import {
  endOfHead,
  type Framing,
  MAX_HEAD_BYTES,
  ProtocolFault,
  parseChunkSize,
  parseResponseHead,
  type ResponseHead,
} from './response-head.ts';

export type Read = () => Promise<Uint8Array | null>;
export type Body = AsyncGenerator<Uint8Array, void, undefined>;

const MAX_CHUNK_LINE = 4096;
const MAX_TRAILERS = 100;
/** Limit of 1xx responses per request; a server could send them without end. */
const MAX_INTERIM = 20;

export async function readHead(
  read: Read,
  connection: RawConnection,
  method: string,
): Promise<ResponseHead> {
  for (let interim = 0; interim <= MAX_INTERIM; interim++) {
    const head = parseResponseHead(await readHeadText(read, connection), method);
    // 100 and 103 precede the final response; 101 would answer an upgrade, which is never
    // requested.
    if (head.status >= 200) return head;
    if (head.status === 101) throw new ProtocolFault('the server switched protocols unasked');
  }
  throw new ProtocolFault('there are too many interim answers');
}

async function readHeadText(read: Read, connection: RawConnection): Promise<string> {
  let text = Buffer.alloc(0);
  for (;;) {
    const piece = await read();
    if (piece === null)
      throw text.length === 0
        ? new Error('the connection was closed before an answer')
        : new ProtocolFault('the head was cut');
    const before = text.length;
    text = Buffer.concat([text, piece]);
    const end = endOfHead(text);
    if (end >= 0) {
      connection.unread(piece.subarray(end - before));
      return text.toString('latin1', 0, end);
    }
    if (text.length > MAX_HEAD_BYTES) throw new ProtocolFault('the head is too long');
  }
}

export function readBody(framing: Framing, read: Read, connection: RawConnection): Body {
  if (framing.kind === 'length') return readLength(framing.length, read, connection);
  return framing.kind === 'chunked' ? readChunked(read, connection) : readUntilClose(read);
}

async function* readLength(length: number, read: Read, connection: RawConnection): Body {
  let left = length;
  while (left > 0) {
    const piece = await read();
    if (piece === null) throw new Error('the body was cut');
    const part = piece.subarray(0, left);
    if (part.byteLength < piece.byteLength) connection.unread(piece.subarray(left));
    left -= part.byteLength;
    yield part;
  }
}

async function* readChunked(read: Read, connection: RawConnection): Body {
  for (;;) {
    const size = parseChunkSize(await readLine(read, connection));
    if (size === 0) break;
    yield* readLength(size, read, connection);
    if ((await readLine(read, connection)) !== '')
      throw new ProtocolFault('a chunk is longer than it says');
  }
  // Trailers are not used, but must be read.
  for (let lines = 0; (await readLine(read, connection)) !== ''; lines++) {
    if (lines > MAX_TRAILERS) throw new ProtocolFault('there are too many trailers');
  }
}

/** HTTP/1.0: the end and an interrupted connection look the same; the caller checks the size. */
async function* readUntilClose(read: Read): Body {
  for (let piece = await read(); piece !== null; piece = await read()) yield piece;
}

async function readLine(read: Read, connection: RawConnection): Promise<string> {
  let line = '';
  for (;;) {
    const piece = await read();
    if (piece === null) throw new Error('the body was cut');
    const end = piece.indexOf(0x0a);
    line += Buffer.from(piece.subarray(0, end < 0 ? undefined : end)).toString('latin1');
    if (line.length > MAX_CHUNK_LINE)
      throw new ProtocolFault('a line of the chunked body is too long');
    if (end < 0) continue;
    if (end + 1 < piece.byteLength) connection.unread(piece.subarray(end + 1));
    return line.replace(/\r$/, '');
  }
}
