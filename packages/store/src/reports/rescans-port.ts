/**
 * The queue of scans in the background: digests of the built-in registry that have no report yet,
 * and tagged ones, scanned again after an update of the vulnerability database.
 */

/** The database versions that a scan would use now. */
export interface ScanData {
  /** Date of the advisories. */
  dbUpdatedAt: Date;
  /** When the index of Java archives was installed; null where there is none. */
  javaSince: Date | null;
}

export interface Rescan {
  digest: string;
  /** One of the repositories that have the digest under a tag. */
  repository: string;
  /** Fences every later write. */
  attempts: number;
}

export interface RescanProgress {
  /** Their newest scan used these advisories. */
  done: number;
  left: number;
  /** All tries failed; the next update tries them again. */
  failed: number;
}

export interface Rescans {
  /**
   * The next digest, newest tag first; null where none is left, another one is being scanned, or a
   * requested scan is queued or running. Only digests that were scanned before, with older
   * advisories, or without the index for Java archives. Images that can be re-matched are left to
   * the re-match where `rematched` names the profile that it uses.
   */
  claim(data: ScanData, rematched?: string | null): Promise<Rescan | null>;
  /**
   * The next digest without a report, newest push first, in folders that scan what is pushed;
   * null where none is left.
   */
  claimFirst(data: ScanData): Promise<Rescan | null>;
  /** What `claimFirst` would return one by one. */
  firstDue(data: ScanData, limit: number): Promise<string[]>;
  renew(rescan: Rescan): Promise<boolean>;
  /** The report has been stored. */
  finish(rescan: Rescan): Promise<void>;
  /** Tried again later where it `mayPass`, at most three times per database. */
  fail(rescan: Rescan, error: { code: string; message: string }, mayPass: boolean): Promise<void>;
  /** Undoes the claim: the worker stops. */
  release(rescan: Rescan): Promise<void>;
  progress(data: ScanData): Promise<RescanProgress>;
}
