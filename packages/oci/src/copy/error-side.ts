/** Marks errors with the end of the copy that caused them: `source` or `target`. */
import { isOciError, type Side } from '../oci-error.ts';
import type { Content } from './content.ts';

export async function withErrorSide<T>(side: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mark(error, side);
  }
}

const WRONG_CONTENT = new Set(['DIGEST_MISMATCH', 'SIZE_MISMATCH', 'CONTENT_TRUNCATED']);

/**
 * As `withErrorSide('target', …)`, except that content that does not match its descriptor is an
 * error of the source.
 */
export async function withPushErrorSide<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mark(error, isOciError(error) && WRONG_CONTENT.has(error.code) ? 'source' : 'target');
  }
}

/** Wraps content so that its errors are marked with `side` and an abort releases it immediately. */
export function contentWithErrorSide(side: Side, content: Content, signal: AbortSignal): Content {
  return {
    offset: content.offset,
    cancel: () => content.cancel(),
    [Symbol.asyncIterator]: () => readWithErrorSide(side, content, signal),
  };
}

async function* readWithErrorSide(
  side: Side,
  content: Content,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const cancel = () => content.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const chunks = content[Symbol.asyncIterator]();
  try {
    while (true) {
      signal.throwIfAborted();
      const chunk = await withErrorSide(side, () => chunks.next());
      if (chunk.done) break;
      yield chunk.value;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', cancel);
    await chunks.return?.();
  }
}

function mark(error: unknown, side: Side): unknown {
  // The innermost mark wins: an error of the source stays one when it passes through the target.
  if (isOciError(error) && error.side === undefined) error.side = side;
  return error;
}
