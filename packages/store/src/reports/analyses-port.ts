/**
 * Trivy's analyses of layers and configurations, by the keys of its cache in Redis, and what a
 * re-match of an image needs besides them.
 */

export interface StoredAnalysis {
  key: string;
  /** The layer that it is of; null for a configuration. */
  diffId: string | null;
  /** Compressed. */
  content: Uint8Array;
}

export interface StoredImageAnalysis {
  digest: string;
  /** Of the scanner and its rules. */
  profile: string;
  /** The scanner's own document. */
  image: object;
  /** The analyses that it consists of. */
  keys: string[];
  /** Hashes of its packages' names, four bytes each; null where they are unknown. */
  packages: Uint8Array | null;
}

export interface ScanAnalyses {
  /** Which of these are not stored. Those that are stay for another day at least. */
  missing(keys: readonly string[]): Promise<string[]>;
  /** An analysis that is stored already is kept. */
  save(image: StoredImageAnalysis, analyses: readonly StoredAnalysis[]): Promise<void>;
  find(digests: readonly string[]): Promise<StoredImageAnalysis[]>;
  contents(keys: readonly string[]): Promise<Pick<StoredAnalysis, 'key' | 'content'>[]>;
  keysOfLayers(diffIds: readonly string[]): Promise<string[]>;
  /**
   * Removes analyses that no image with a report needs, and beyond the bound those of the images
   * that were analysed longest ago. Returns how many.
   */
  removeUnused(before: Date, maxBytes: number): Promise<number>;
}
