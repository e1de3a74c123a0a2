/**
 * How long we wait for a server: silence has an end, and so has an answer that comes so slowly that it only holds a
 * place. Only the time that is spent waiting for the other side counts, never that of a slow reader on ours.
 */
import { type AppError, unavailable } from '@portcullis/errors';

export interface StallLimits {
  /** How long a server may send nothing at all. */
  idleMs: number;
  /** The least average over a window; 0: any. */
  bytesPerSecond: number;
  windowMs: number;
}

/**
 * 1 KiB/s over a minute, on each connection. With the eight connections that a host gets from us that is a line of
 * 64 kbit/s: slower than any over which images are pulled, and a thousand times what a server has to pay that wants to
 * hold a place for nothing.
 */
export const DEFAULT_STALL_LIMITS: StallLimits = {
  idleMs: 60_000,
  bytesPerSecond: 1024,
  windowMs: 60_000,
};

export interface StallDetector {
  /** @throws unavailable `REGISTRY_TOO_SLOW` */
  note(waitedMs: number, bytes: number): void;
}

export function createStallDetector(
  { bytesPerSecond, windowMs }: StallLimits,
  host: string,
): StallDetector {
  let waited = 0;
  let received = 0;
  return {
    note(waitedMs, bytes) {
      waited += waitedMs;
      received += bytes;
      if (waited < windowMs) return;
      if (received * 1000 < bytesPerSecond * waited) throw tooSlow(host, received, waited);
      waited = 0;
      received = 0;
    },
  };
}

/** What is read through it may not take longer than the limits allow. */
export async function* withStallDetection<T extends Uint8Array>(
  chunks: AsyncIterable<T>,
  detector: StallDetector,
): AsyncGenerator<T, void, undefined> {
  let asked = performance.now();
  for await (const chunk of chunks) {
    detector.note(performance.now() - asked, chunk.byteLength);
    yield chunk;
    asked = performance.now();
  }
}

export function idleError(host: string, forMs: number): AppError {
  const seconds = Math.round(forMs / 100) / 10;
  return unavailable('REGISTRY_SILENT', `${host} sent nothing for ${seconds} s`, {
    detail: { host },
  });
}

function tooSlow(host: string, bytes: number, ms: number): AppError {
  const message = `${host} is too slow: ${bytes} bytes in ${Math.round(ms / 1000)} s`;
  return unavailable('REGISTRY_TOO_SLOW', message, { detail: { host } });
}
