import type { ProgressView } from '@portcullis/contract';

/** So little says nothing of the rest: an image's small parts come first, each with a wait of its own. */
const TOLD_BY = 0.01;

/** Null while it isn't known, or over. */
export function secondsLeft({ bytes_done, bytes_total, rate }: ProgressView): number | null {
  if (rate <= 0 || bytes_done < bytes_total * TOLD_BY || bytes_done >= bytes_total) return null;
  return (bytes_total - bytes_done) / rate;
}
