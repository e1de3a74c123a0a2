/** Digests that tags of the built-in registry name, scanned again after an update of the vulnerability database. */

/** What a scan would go by now. */
export interface ScanData {
  /** When the advisories were gathered. */
  dbUpdatedAt: Date;
  /** When the index of Java archives arrived; null where there is none. */
  javaSince: Date | null;
}

export interface Rescan {
  digest: string;
  /** One of the repositories that have it under a tag. */
  repository: string;
  /** Fences every later write. */
  attempts: number;
}

export interface RescanProgress {
  /** By their newest scan they have these advisories. */
  done: number;
  left: number;
  /** Tried in vain; the next update tries them again. */
  failed: number;
}

export interface Rescans {
  /**
   * The next, of the newest tag first; null where none is left, another one runs, or a scan that somebody waits for
   * is queued or runs. Only digests that were scanned before, by older advisories, or by none for Java archives.
   */
  claim(data: ScanData): Promise<Rescan | null>;
  renew(rescan: Rescan): Promise<boolean>;
  /** Its report is there. */
  finish(rescan: Rescan): Promise<void>;
  /** Tried again later where it `mayPass`, at most three times for each database. */
  fail(rescan: Rescan, error: { code: string; message: string }, mayPass: boolean): Promise<void>;
  /** As if it had never been tried: the worker stops. */
  release(rescan: Rescan): Promise<void>;
  progress(data: ScanData): Promise<RescanProgress>;
}
