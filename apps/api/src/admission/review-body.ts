/** The body of a review: JSON of bounded size, however it comes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { fault, parseBody } from '../http/body.ts';

/** A request that is not complete by then is cut off. */
export const REQUEST_MS = 10_000;
/** API servers accept objects of 3 MiB, and a review of an update has two. */
const MOST_BYTES = 7 * 1024 * 1024;

/**
 * An empty body is undefined, which is no review.
 *
 * @throws errors of the types of Express's body parser
 */
export async function readReviewBody(
  request: Readable & { headers: IncomingHttpHeaders },
): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding !== 'identity') throw fault('encoding.unsupported');
  if (Number(length ?? 0) > MOST_BYTES) throw fault('entity.too.large');
  const bytes = await readWhole(request);
  return bytes.length === 0 ? undefined : parseBody(bytes);
}

async function readWhole(request: Readable): Promise<Buffer> {
  const late = setTimeout(() => request.destroy(), REQUEST_MS);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The request is not destroyed, as its connection would be before the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MOST_BYTES) throw fault('entity.too.large');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks, size);
}
