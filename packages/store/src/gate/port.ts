import type {
  PassRecord,
  PolicyRules,
  PullGateMode,
  PushGateMode,
  Waiver,
  WaiverOrder,
  WaiverScope,
  WaiverState,
} from '@portcullis/domain';
import type { AuditRecord } from '../audit/port.ts';
import type { Page, PageOptions } from '../page-port.ts';
import type { FindingPlace } from '../reports/port.ts';

/** A policy of its own name; the default policy is made from the scan settings. */
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

export interface Policies {
  find(id: string): Promise<StoredPolicy | null>;
  get(id: string): Promise<StoredPolicy>;
  /** Sorted by name. */
  list(): Promise<StoredPolicy[]>;
  /** Newest first, at most 200. */
  versions(id: string): Promise<PolicyVersion[]>;
  uses(): Promise<Map<string, PolicyUse>>;
  /** @throws conflict `POLICY_NAME_TAKEN`, `POLICIES_MANY` */
  insertPolicy(policy: {
    name: string;
    rules: PolicyRules;
    savedBy: string;
  }): Promise<StoredPolicy>;
  /**
   * Changed rules become the next version.
   * @throws conflict `POLICY_CHANGED` unless `version` is the current one; `POLICY_NAME_TAKEN`
   */
  update(
    id: string,
    change: { name?: string; rules?: PolicyRules; version: number; savedBy: string },
  ): Promise<StoredPolicy>;
  /** @throws conflict `POLICY_IN_USE` */
  remove(id: string): Promise<void>;
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
}

export interface StoredWaiver extends Waiver {
  requestedBy: string;
  /** The id and the author of the OpenVEX document that the waiver was imported from. */
  vexDocument: string | null;
  vexAuthor: string | null;
  /** Who rejected or revoked it. */
  closed: WaiverClosing | null;
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

export interface WaiverFilter extends PageOptions {
  /** `expired`: approved or requested, and past their end. */
  state?: WaiverState | 'expired' | undefined;
  vulnerability?: string | undefined;
  /** A part of the id of the vulnerability, in upper or lower case. */
  q?: string | undefined;
  folder?: string | undefined;
  /** The username of the requester, in upper or lower case. */
  requestedBy?: string | undefined;
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

export interface Waivers {
  find(id: string): Promise<StoredWaiver | null>;
  get(id: string): Promise<StoredWaiver>;
  list(filter: WaiverFilter, now: Date): Promise<Page<StoredWaiver>>;
  /**
   * The approved waivers that have not ended and whose requester may still request them: the
   * account is enabled, and may push to the folder or review waivers.
   */
  inForce(now: Date): Promise<StoredWaiver[]>;
  /** Which of these are in force. */
  inForceOf(ids: readonly string[], now: Date): Promise<Set<string>>;
  /**
   * Requested and approved waivers of these vulnerabilities that have not ended, for this digest or
   * every one; the newest 500.
   */
  openOf(
    asked: { vulnerabilities: readonly string[]; digest: string } & Pick<WaiverFilter, 'visibleTo'>,
    now: Date,
  ): Promise<StoredWaiver[]>;
  /** What a waiver of this scope covers today in these folders; at most `limit` items. */
  coverage(asked: {
    scope: WaiverScope;
    folders: 'all' | readonly string[];
    limit: number;
  }): Promise<WaiverCoverage>;
  /** The account's requested and approved waivers of these vulnerabilities that have not ended. */
  openScopesOf(
    asked: { requestedById: string; folder: string | null; vulnerabilities: readonly string[] },
    now: Date,
  ): Promise<Omit<WaiverScope, 'folder'>[]>;
  /** @throws not_found `FOLDER_UNKNOWN`; conflict `WAIVERS_MANY` */
  insertWaiver(waiver: NewWaiver): Promise<StoredWaiver>;
  /**
   * All or none.
   * @param most that may wait in one folder; `MOST_REQUESTED_WAIVERS` by default
   * @throws as `insertWaiver`
   */
  insertWaivers(waivers: readonly NewWaiver[], most?: number): Promise<StoredWaiver[]>;
  /** Saves state, approvals and closing. @throws conflict `WAIVER_CHANGED` after another change */
  save(
    waiver: Pick<StoredWaiver, 'id' | 'updatedAt' | 'state' | 'approvals' | 'closed'>,
  ): Promise<StoredWaiver>;
  /**
   * Approved waivers that end before `until` and whose end was not announced. Marks at most 500 and
   * stores the events that are made of them in one transaction.
   */
  takeEnding(now: Date, until: Date, eventsOf: WaiverEvents): Promise<StoredWaiver[]>;
  /**
   * As `takeEnding`, for requests that reviewers were not told about, unless they were told about
   * another one after `since`.
   */
  takeRequested(now: Date, since: Date, eventsOf: WaiverEvents): Promise<StoredWaiver[]>;
  /**
   * Accounts that may review and see some of these requests of others; at most 200.
   */
  reviewersOf(ids: readonly string[]): Promise<WaiverReviewer[]>;
  /** As `takeEnding`, for requested and approved waivers that ended without a record. */
  takeEnded(now: Date, eventsOf: WaiverEvents): Promise<StoredWaiver[]>;
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
  items: FindingPlace[];
}

export type WaiverEvents = (waivers: readonly StoredWaiver[]) => AuditRecord[];

export interface PlacedRecord extends PassRecord {
  folder: string;
  digest: string;
}

export interface PassRecords {
  find(folder: string, digest: string): Promise<PassRecord | null>;
  listByDigests(digests: readonly string[]): Promise<PlacedRecord[]>;
  /** Does nothing for a folder that does not exist. */
  save(record: PlacedRecord): Promise<void>;
  /** Removes records of digests that their folder has no more. */
  removeUnused(before: Date): Promise<number>;
}
