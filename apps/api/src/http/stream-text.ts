/** Streams a text that is made in pieces, such as an export, to a client that may be slow. */
import { once } from 'node:events';
import type { ApiCall } from './call.ts';

interface StreamedFile {
  mediaType: string;
  /** Before the date and the extension. */
  name: string;
  extension: string;
}

/**
 * Applies backpressure from slow readers; a client that leaves ends the search. The response
 * starts with the first piece: before it, a fault can still be reported. A later one closes the
 * connection, so that no client takes the text for complete.
 */
export async function streamText(
  { response, signal }: Pick<ApiCall, 'response' | 'signal'>,
  { mediaType, name, extension }: StreamedFile,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  for await (const text of pieces) {
    if (signal.aborted) return;
    if (!response.headersSent)
      response.writeHead(200, {
        'Content-Type': `${mediaType}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${name}-${day}.${extension}"`,
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
    if (!response.write(text)) await once(response, 'drain', { signal }).catch(() => {});
  }
  response.end();
}
