/** A collection of the registry's garbage, wherever its storage is: what it is asked for, and what stays. */
export interface Collection {
  dryRun: boolean;
  /** Blobs that stay, whatever the manifests say. */
  kept: ReadonlySet<string>;
  /** What was written within a time that nothing is known of stays, too. */
  keptBetween?: { from: Date; to: Date } | undefined;
  signal: AbortSignal;
  line(text: string): void;
}

export interface Collected {
  blobs: number;
  bytes: number;
}

export function staysAnyway(
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
