/**
 * Stall detection: fails reads from servers that send nothing, or too slowly, for too long. Only
 * time spent waiting for the server counts, not time spent by a slow reader on our side.
 */
import { type OciError, unavailable } from '../../oci-error.ts';

export interface StallLimits {
  /** Longest time without any bytes. */
  idleMs: number;
  /** Minimum average over a window; 0 disables the check. */
  bytesPerSecond: number;
  windowMs: number;
}

/**
 * 1 KiB/s over a minute per connection; with eight connections to a host that is a line of 64
 * kbit/s, slower than any that is used for images. It only stops servers that hold a connection
 * slot for almost no traffic.
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

export function idleError(host: string, forMs: number): OciError {
  const seconds = Math.round(forMs / 100) / 10;
  return unavailable('REGISTRY_SILENT', `${host} sent nothing for ${seconds} s`, {
    detail: { host },
  });
}

function tooSlow(host: string, bytes: number, ms: number): OciError {
  const message = `${host} is too slow: ${bytes} bytes in ${Math.round(ms / 1000)} s`;
  return unavailable('REGISTRY_TOO_SLOW', message, { detail: { host } });
}
