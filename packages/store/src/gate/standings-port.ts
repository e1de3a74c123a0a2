/** Types of the standings that were announced last. */
import type { ImageOutcome, Severity } from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { TaggedDigest } from '../images/port.ts';
import type { Page, PageOptions } from '../page-port.ts';
import type { PlacedRecord } from './port.ts';

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
  /** The manifests of an index; empty for an image. */
  parts: string[];
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
  /** Until when it is still served although it is blocked. */
  graceUntil: Date | null;
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

export interface Judgements {
  rows: readonly JudgedImageRow[];
  /** The pass records that became other ones. */
  records: readonly PlacedRecord[];
  events: readonly AuditRecord[];
}

type AppearedEvents = (appeared: readonly AppearedVulnerability[]) => Promise<AuditRecord[]>;

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
  graceUntil: Date | null;
}

/** An image of a repository; `passes` and `since` are null where it was never judged. */
export interface AnnouncedStanding {
  digest: string;
  /** Whether the index knows it as something else than an image. */
  isArtifact: boolean;
  passes: boolean | null;
  /** When `passes` became what it is. */
  since: Date | null;
  graceUntil: Date | null;
}

export interface NewVulnerability extends Omit<AppearedVulnerability, 'folders'> {
  firstSeenAt: Date;
}

export interface StandingChanges extends Page<ChangedStanding> {
  blocked: number;
  cleared: number;
  /** The most severe first; at most 50. */
  vulnerabilities: NewVulnerability[];
}

/** Tagged images of the built-in registry. */
export interface StandingCounts {
  passes: number;
  blocked: number;
  pending: number;
  /** Blocked and still served. */
  inGrace: number;
  /** The first end of their grace periods. */
  graceEndsAt: Date | null;
  /** Build time of the oldest database that a standing rests on. */
  oldestDatabaseAt: Date | null;
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
  /**
   * Saves judgements, their events, and the vulnerabilities that were unknown before with theirs,
   * in one transaction. @returns the number of events; null where the lease was lost and nothing
   * was saved
   */
  save(run: StandingRun, judged: Judgements, eventsOf: AppearedEvents): Promise<number | null>;
  /** All images were judged once. */
  filled(run: StandingRun): Promise<void>;
  /** Removes standings of images that no tag names any more. */
  removeUntagged(): Promise<number>;
  /** Usernames and ids of the enabled accounts that may push to the folder, at most `limit`. */
  owners(folder: string, limit: number): Promise<{ id: string; username: string }[]>;
  /** Changes in these folders, newest first. */
  changes(
    asked: PageOptions & { folders: 'all' | readonly string[]; since: Date },
  ): Promise<StandingChanges>;
  /** One for each of the digests, which must be distinct. */
  announced(repository: string, digests: readonly string[]): Promise<AnnouncedStanding[]>;
  counts(): Promise<StandingCounts>;
}
