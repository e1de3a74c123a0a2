import type {
  AuditEvent,
  ImageOutcome,
  PassRecord,
  PolicyRules,
  PullGateMode,
  PushGateMode,
  Severity,
  StatementMode,
  Waiver,
  WaiverOrder,
  WaiverScope,
  WaiverState,
} from '@portcullis/domain';
import type { TaggedDigest } from '../images/records.ts';
import type { Page, PageOptions } from '../page.ts';
import type { ImageFinding } from '../reports/records.ts';

/** A policy with a name; the default policy is made from the scan settings. */
export interface StoredPolicy {
  id: string;
  name: string;
  /** Begins at 1 and grows with every change of the rules. */
  version: number;
  rules: PolicyRules;
  createdAt: Date;
  updatedAt: Date;
}

export interface PolicyVersion {
  version: number;
  rules: PolicyRules;
  /** A username. */
  savedBy: string;
  savedAt: Date;
}

/** Where a policy applies. */
export interface PolicyUse {
  folders: string[];
  registries: { id: string; name: string }[];
}

/** The gate's settings of a folder. */
export interface FolderGate {
  /** Null: the default policy. */
  policyId: string | null;
  pushGate: PushGateMode;
  pullGate: PullGateMode;
  /** Globs of tags that are never moved or deleted once they exist. */
  immutableTags: string[];
  /** How many bytes its repositories may hold together; null: any number. */
  quotaBytes: number | null;
  /** Whether signed statements about its tagged images are stored beside them. */
  statements: StatementMode;
}

export interface StoredWaiver extends Waiver {
  requestedBy: string;
  /** The id and the author of the OpenVEX document that the waiver was imported from. */
  vexDocument: string | null;
  vexAuthor: string | null;
  /** Who rejected or revoked it. */
  closed: WaiverClosing | null;
  /** The number of the review request whose approval left it behind. */
  review: number | null;
  /** A policy gave it for what the image fixes; it needs no approval. */
  byPolicy: boolean;
  updatedAt: Date;
}

export interface WaiverClosing {
  /** A username. */
  by: string;
  at: Date;
  reason: string | null;
}

export interface NewWaiver
  extends WaiverScope,
    Pick<
      StoredWaiver,
      | 'status'
      | 'justification'
      | 'reason'
      | 'ticket'
      | 'vexDocument'
      | 'requestedById'
      | 'expiresAt'
    >,
    Partial<Pick<StoredWaiver, 'vexAuthor'>> {}

/** A waiver of an image's age that a policy gives for what the image fixes. */
export interface PolicyWaiver {
  vulnerability: string;
  digest: string;
  folder: string;
  expiresAt: Date;
  /** The account that it is listed for. */
  requestedById: string;
  fixes: readonly string[];
}

export interface WaiverFilter extends PageOptions {
  /** `expired`: approved or requested, and past their end. */
  state?: WaiverState | 'expired' | undefined;
  vulnerability?: string | undefined;
  /** A part of the id of the vulnerability, in upper or lower case. */
  q?: string | undefined;
  folder?: string | undefined;
  /** The username of the requester, in upper or lower case. */
  requestedBy?: string | undefined;
  /** Only those that the approval of this review request left behind. */
  review?: number | undefined;
  /** Requested at this time or later, and before that one. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Whose end is after this time, and before that one. */
  endsAfter?: Date | undefined;
  endsBefore?: Date | undefined;
  /** Only open requests of other accounts that this account has not approved. */
  reviewableBy?: string | undefined;
  /** Only waivers of this account or of these folders. */
  visibleTo?: { accountId: string; folders: readonly string[] } | undefined;
  /** By default newest first. */
  sort?: WaiverOrder | undefined;
}

export interface WaiverReviewer {
  id: string;
  email: string | null;
  /** Ids of the waivers. */
  waivers: string[];
}

export interface WaiverCoverage {
  /** Digests in repositories. */
  images: number;
  findings: number;
  /** Sorted by repository, digest and package. */
  items: ImageFinding[];
}

export type WaiverEvents = (waivers: readonly StoredWaiver[]) => AuditEvent[];

export interface FolderPassRecord extends PassRecord {
  folder: string;
  digest: string;
}

/** What decides about an image besides its report. */
export interface StandingMarks {
  /** Names of the folders, with a text that changes whenever their policy does. */
  folders: ReadonlyMap<string, string>;
  /** That of folders that are not named. */
  otherwise: string;
}

export interface DueStanding extends TaggedDigest {
  /** As it was announced last; null for an image that was not judged before. */
  before: Pick<ImageOutcome, 'passes' | 'code'> | null;
  /** The manifests of an index; empty for an image. */
  parts: string[];
}

export interface JudgedImageRow extends ImageOutcome {
  repository: string;
  digest: string;
  folder: string;
  /** The name of the policy. */
  policy: string;
  policyVersion: string;
  /** SHA-256 of its rules, in hex. */
  policyDigest: string;
  /** Ids of the waivers that cover what would block it, sorted. */
  waivers: string[];
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
  records: readonly FolderPassRecord[];
  events: readonly AuditEvent[];
}

export type AppearedEvents = (appeared: readonly AppearedVulnerability[]) => Promise<AuditEvent[]>;

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

export interface ChangesQuestion extends PageOptions {
  folders: 'all' | readonly string[];
  since: Date;
  /** By vulnerability: the higher ones are first, those without one last. */
  scores?: ReadonlyMap<string, number> | undefined;
}

export interface StandingChanges extends Page<ChangedStanding> {
  blocked: number;
  cleared: number;
  /** Those of the highest score first, then the most severe; at most 50. */
  vulnerabilities: NewVulnerability[];
  /** All of them. */
  vulnerabilitiesTotal: number;
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
