import type { ProgressView } from '@portcullis/contract';

/** Below this share an estimate is unreliable: small blobs come first, with high latency. */
const LEAST_SHARE = 0.01;

/** Null if unknown or finished. */
export function secondsLeft({ bytes_done, bytes_total, rate }: ProgressView): number | null {
  if (rate <= 0 || bytes_done < bytes_total * LEAST_SHARE || bytes_done >= bytes_total) return null;
  return (bytes_total - bytes_done) / rate;
}
