/**
 * The quota of a folder: how many bytes of blobs and manifests its repositories may hold together,
 * each digest counted once.
 */

export interface QuotaQuestion {
  /** Null: any number of bytes. */
  quota: number | null;
  /** What the folder holds. */
  used: number;
  /** What the change brings that the folder does not have. */
  adds: number;
}

/** What the folder holds already is never refused, also where the quota was lowered since. */
export function fitsQuota({ quota, used, adds }: QuotaQuestion): boolean {
  return quota === null || adds <= 0 || used + adds <= quota;
}

/** A full folder takes no byte more. */
export function isFull({ quota, used }: Omit<QuotaQuestion, 'adds'>): boolean {
  return !fitsQuota({ quota, used, adds: 1 });
}

export interface SizedContent {
  digest: string;
  size: number;
}

/**
 * The bytes that contents add to those that the folder has. A digest counts once, by the largest
 * size that is stated.
 */
export function addedBytes(
  contents: Iterable<SizedContent>,
  present: ReadonlyMap<string, number>,
): number {
  const largest = new Map<string, number>();
  for (const { digest, size } of contents)
    largest.set(digest, Math.max(size, largest.get(digest) ?? 0));
  let adds = 0;
  for (const [digest, size] of largest) adds += Math.max(0, size - (present.get(digest) ?? 0));
  return adds;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** For the sentence of a refusal: "4.1 GB", as the page shows sizes. */
export function writtenBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3);
  const at = Math.min(UNITS.length - 1, step);
  const scaled = bytes / 1000 ** at;
  const digits = at === 0 || scaled >= 100 ? 0 : 1;
  return `${scaled.toFixed(digits).replace(/\.0$/, '')} ${UNITS[at]}`;
}
