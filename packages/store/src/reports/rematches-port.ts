/**
 * The re-match of tagged images after an update of the vulnerability database: at most one in the
 * whole installation. What is left follows from the tags, the reports and the database's date.
 */
import type { ScanData } from './rescans-port.ts';

export interface RematchData extends ScanData {
  /** Of the scanner and its rules: images with another one's analyses are scanned. */
  profile: string;
}

export interface Rematch {
  /** Fences every later write. */
  attempts: number;
}

export interface DueRematch {
  digest: string;
  /** The database of its report, as the scanner wrote it. */
  dbUpdatedAt: string | null;
}

/** What happened to images. */
export interface RematchCounts {
  /** They were compared with the database. */
  matched: number;
  /** Of these, their report is another one now. */
  changed: number;
  /** None of their packages changed in the database. */
  skipped: number;
  /** They have to be scanned. */
  failed: number;
  /** Duration, without pauses. */
  workedMs: number;
}

export interface RematchProgress extends RematchCounts {
  /** Of the database that the images are compared with. */
  dbUpdatedAt: Date;
  isRunning: boolean;
  startedAt: Date;
  /** When an image was compared last. */
  renewedAt: Date;
}

export interface Rematches {
  /** Null where nothing is due or another worker does it. A newer database starts over. */
  claim(data: RematchData): Promise<Rematch | null>;
  /** The newest tag first. */
  due(data: RematchData, limit: number): Promise<DueRematch[]>;
  /** Adds to the counts. False where the lease was lost. */
  renew(rematch: Rematch, counts: RematchCounts): Promise<boolean>;
  /** Nothing is left, or the worker stops. */
  release(rematch: Rematch, counts: RematchCounts): Promise<void>;
  /** The image is scanned with this database instead. */
  leave(digest: string, data: ScanData): Promise<void>;
  /** The newest re-match; null before the first. */
  progress(): Promise<RematchProgress | null>;
}
