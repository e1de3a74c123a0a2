import type { ProgressView } from '@portcullis/contract';

/** Null while it isn't known, or over. */
export function secondsLeft({ bytes_done, bytes_total, rate }: ProgressView): number | null {
  if (rate <= 0 || bytes_done >= bytes_total) return null;
  return (bytes_total - bytes_done) / rate;
}
