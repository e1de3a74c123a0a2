/** Types of the standings that were announced last. */
import type { ImageOutcome, Severity } from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { TaggedDigest } from '../images/port.ts';

/** What decides about an image besides its report. */
export interface StandingMarks {
  /** Names of the folders, with a text that changes whenever their policy does. */
  folders: ReadonlyMap<string, string>;
  /** That of folders that are not named. */
  otherwise: string;
}

export interface DueStanding extends TaggedDigest {
  /** As it was announced last; null for an image that was not judged before. */
  before: Pick<ImageOutcome, 'passes'> | null;
}

export interface JudgedImageRow extends ImageOutcome {
  repository: string;
  digest: string;
  folder: string;
  /** The name of the policy. */
  policy: string;
  mark: string;
  reportAt: Date | null;
  databaseAt: string | null;
  /** Whether `passes` is another one than before. */
  isChanged: boolean;
}

/** A vulnerability that no tagged image had before. */
export interface AppearedVulnerability {
  vulnerability: string;
  severity: Severity;
  images: number;
  /** The folders of these images. */
  folders: string[];
}

export interface StandingRun {
  /** Fences the writes of its worker. */
  attempts: number;
  /** Null until all images were judged once: until then nothing is announced. */
  filledAt: Date | null;
}

export interface ChangedStanding {
  repository: string;
  digest: string;
  folder: string;
  tags: string[];
  passes: boolean | null;
  code: string | null;
  blocking: string[];
  policy: string;
  changedAt: Date;
}

export interface NewVulnerability extends Omit<AppearedVulnerability, 'folders'> {
  firstSeenAt: Date;
}

export interface StandingChanges {
  items: ChangedStanding[];
  blocked: number;
  cleared: number;
  /** The most severe first; at most 50. */
  vulnerabilities: NewVulnerability[];
}

export interface KeptStandings {
  /** Null while another worker judges. */
  claim(): Promise<StandingRun | null>;
  /** False when the lease was lost. */
  renew(run: StandingRun): Promise<boolean>;
  release(run: StandingRun): Promise<void>;
  /**
   * Marks the images whose findings a waiver may cover that came into force or ended since the last
   * call. @returns their number
   */
  noteWaivers(waivers: readonly { id: string; vulnerability: string }[]): Promise<number>;
  /** Call after a scan of these digests ended: it may have failed. Other reports are noticed. */
  noteReports(digests: readonly string[]): Promise<void>;
  /** Images to judge: the ones that were pulled or pushed last come first. */
  due(marks: StandingMarks, limit: number): Promise<DueStanding[]>;
  /** Saves judgements and their events in one transaction; nothing where the lease was lost. */
  save(
    run: StandingRun,
    judged: readonly JudgedImageRow[],
    events: readonly AuditRecord[],
  ): Promise<boolean>;
  /**
   * Records the vulnerabilities of these digests, with the events of those that were unknown
   * before, in one transaction. @returns the number of events
   */
  noteVulnerabilities(
    digests: readonly string[],
    eventsOf: (appeared: readonly AppearedVulnerability[]) => Promise<AuditRecord[]>,
  ): Promise<number>;
  /** All images were judged once. */
  filled(run: StandingRun): Promise<void>;
  /** Removes standings of images that no tag names any more. */
  removeUntagged(): Promise<number>;
  /** Usernames and ids of the enabled accounts that may push to the folder, at most `limit`. */
  owners(folder: string, limit: number): Promise<{ id: string; username: string }[]>;
  /** Changes in these folders, newest first. */
  changes(asked: {
    folders: 'all' | readonly string[];
    since: Date;
    limit: number;
  }): Promise<StandingChanges>;
  /** How many images pass, are blocked, or wait. */
  counts(): Promise<{ passes: boolean | null; images: number }[]>;
}
