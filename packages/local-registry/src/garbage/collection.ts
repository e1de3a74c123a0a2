/** Options and result of a garbage collection, whatever the storage. */
import type { Recorded } from '../catalog/stored-manifests.ts';

export interface Collection {
  dryRun: boolean;
  /** Blobs that are kept, whatever the manifests say. */
  kept: ReadonlySet<string>;
  /** Blobs written in this period are kept too, because it is unknown which pushes needed them. */
  keptBetween?: { from: Date; to: Date } | undefined;
  /** For manifests whose files can't be read. */
  recorded?: Recorded | undefined;
  signal: AbortSignal;
  line(text: string): void;
}

export interface Collected {
  blobs: number;
  bytes: number;
}

export function isAlwaysKept(
  digest: string,
  modifiedAt: number,
  { kept, keptBetween }: Pick<Collection, 'kept' | 'keptBetween'>,
): boolean {
  if (kept.has(digest)) return true;
  return (
    keptBetween !== undefined &&
    modifiedAt >= keptBetween.from.getTime() &&
    modifiedAt <= keptBetween.to.getTime()
  );
}
