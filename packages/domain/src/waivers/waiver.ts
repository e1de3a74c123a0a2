/** Waivers: accepted findings, for a scope, with a reason, until a date. */
import { matchesPath } from '../location/path-pattern.ts';

export const WAIVER_STATUSES = ['accepted', 'not_affected', 'fix_planned'] as const;
export type WaiverStatus = (typeof WAIVER_STATUSES)[number];

/** Justifications of `not_affected` (OpenVEX specification § Status Justifications). */
export const VEX_JUSTIFICATIONS = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;
export type VexJustification = (typeof VEX_JUSTIFICATIONS)[number];

export const WAIVER_STATES = ['requested', 'approved', 'rejected', 'revoked'] as const;
export type WaiverState = (typeof WAIVER_STATES)[number];

export const MOST_WAIVER_DAYS = 365;
/** Waivers of an account for one folder that wait for a review: as many as one document makes. */
export const MOST_REQUESTED_WAIVERS = 500;
/** How long before its end the requester of a waiver is reminded. */
export const REMINDED_DAYS = 7;
/** The audit event of a reminder, which the notifier mails to the requester. */
export const WAIVER_ENDING = 'waiver.ending';
/** The audit event of new requests, which the notifier mails to reviewers. */
export const WAIVERS_WAITING = 'waiver.waiting';
/** At most one such event in this time. */
export const WAITING_MINUTES = 15;
export const MOST_PATTERN_CHARACTERS = 255;
/** In place of a vulnerability: the waiver accepts that one image is too young for the policy. */
export const AGE = 'TOO_YOUNG';
/** The waiver accepts that one image lacks the signatures that the policy asks for. */
export const SIGNATURE = 'SIGNATURE_MISSING';

/** Whether it accepts what one image is, in place of a vulnerability. */
export function isOfOneImage(vulnerability: string): boolean {
  return vulnerability === AGE || vulnerability === SIGNATURE;
}

/** The findings and images that a waiver is for. Every term has to match. */
export interface WaiverScope {
  /** Such as `CVE-2026-1234`, or `AGE`, or `SIGNATURE`. */
  vulnerability: string;
  /** Null: every package. */
  package: string | null;
  /** As reports write the installed version. Null: every version. */
  packageVersion: string | null;
  /** A pattern of repositories: `*` within a segment, `**` across segments. Null: every one. */
  repository: string | null;
  digest: string | null;
  /** Null: every folder. */
  folder: string | null;
}

export interface WaiverApproval {
  accountId: string;
  /** As it was then. */
  username: string;
  at: Date;
}

export interface Waiver extends WaiverScope {
  id: string;
  status: WaiverStatus;
  justification: VexJustification | null;
  reason: string;
  ticket: string | null;
  state: WaiverState;
  requestedById: string;
  approvals: WaiverApproval[];
  createdAt: Date;
  expiresAt: Date;
}

/** An image in a place of the local registry, or of a saved one. */
export interface JudgedImage {
  digest: string;
  repository: string;
  /** Null outside the local registry: only waivers of every folder apply. */
  folder: string | null;
}

/** Why a waiver of the same vulnerability does not cover a finding. */
export const WAIVER_MISSES = [
  'not_approved',
  'expired',
  'package',
  'package_version',
  'digest',
  'folder',
  'repository',
] as const;
export type WaiverMiss = (typeof WAIVER_MISSES)[number];

interface InstalledPackage {
  package: string;
  installedVersion: string;
}

/** Null where the waiver covers the finding; `expiresAt` is the first moment it does not. */
export function missOf(
  waiver: Waiver,
  finding: InstalledPackage,
  image: JudgedImage,
  now: Date,
): WaiverMiss | null {
  if (waiver.state !== 'approved') return 'not_approved';
  if (waiver.package !== null && waiver.package !== finding.package) return 'package';
  if (waiver.packageVersion !== null && waiver.packageVersion !== finding.installedVersion)
    return 'package_version';
  if (waiver.digest !== null && waiver.digest !== image.digest) return 'digest';
  if (waiver.folder !== null && waiver.folder !== image.folder) return 'folder';
  if (waiver.repository !== null && !matchesPath(waiver.repository, image.repository))
    return 'repository';
  // Last, so that what the waiver is for does not depend on the time.
  return waiver.expiresAt <= now ? 'expired' : null;
}

/** Whether the waiver is for such a finding in this digest, in any repository and folder. */
export function isAbout(
  waiver: WaiverScope,
  { id, package: name, installedVersion }: InstalledPackage & { id: string },
  digest: string,
): boolean {
  return (
    waiver.vulnerability === id &&
    (waiver.package === null || waiver.package === name) &&
    (waiver.packageVersion === null || waiver.packageVersion === installedVersion) &&
    (waiver.digest === null || waiver.digest === digest)
  );
}

/** Whether the waiver is for images in this place. */
export function isFor(
  { folder, repository }: WaiverScope,
  place: Pick<JudgedImage, 'folder' | 'repository'>,
): boolean {
  if (folder !== null && folder !== place.folder) return false;
  return repository === null || matchesPath(repository, place.repository);
}

const PATTERN = /^[a-z0-9._/*-]+$/;

/** Whether the text is a pattern of repositories. */
export function isRepositoryPattern(text: string): boolean {
  return text.length <= MOST_PATTERN_CHARACTERS && PATTERN.test(text) && !text.includes('***');
}
