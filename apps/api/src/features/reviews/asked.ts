/**
 * What a review request asks for: the findings that block the image at its destination now, and the
 * age and the signatures that it lacks there.
 */

import { requirementRule } from '@portcullis/contract';
import {
  AGE,
  askedIds,
  assertAllowed,
  countsOfReview,
  isOfOneImage,
  isWaiverEnd,
  type JobDestination,
  type KnownFolders,
  MOST_REVIEWED,
  MOST_WAIVER_DAYS,
  mayRequestWaiver,
  mayUseJobsOf,
  type Principal,
  type ReviewedAge,
  reviewedFindings,
  SIGNATURE,
  type SignatureRequirement,
} from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { type GatedScan, type JudgedPush, type PushGate, UNPRIVILEGED } from '@portcullis/gate';
import type { NewReview, Store } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import type { AccessRights } from '../../identity/rights.ts';
import {
  type DestinationPorts,
  destinationOf,
  keptDestination,
  type PushOrder,
  rightToAsk,
} from '../staging/destination.ts';
import type { StagingService } from '../staging/service.ts';
import {
  type HeldImagePorts,
  heldSubject,
  type ReviewSubject,
  subjectOfJob,
  type TaggedImagePorts,
  taggedSubject,
} from './subject.ts';

export interface AskedPorts {
  resolution: DestinationPorts;
  rights: AccessRights;
  pushGate: Pick<PushGate, 'open'>;
  visibleJob: StagingService['visibleJob'];
  stored: TaggedImagePorts & HeldImagePorts & Pick<Store, 'mirrors'>;
  now(): Date;
}

export interface ReviewOrder {
  /** Null: the image that has the tag in the built-in registry, or is kept out of a mirror. */
  jobId: string | null;
  destination: Pick<PushOrder, 'targetImage' | 'targetTag' | 'folder' | 'registryId'>;
  /** Null: all that block, the age, and the signatures. */
  vulnerabilities: readonly string[] | null;
  reason: string;
  ticket: string | null;
  until: Date;
  pushWhenApproved: boolean;
}

type Asked = Omit<NewReview, 'endsAt'>;

/** @throws forbidden, not_found, conflict, invalid */
export async function askedReview(
  principal: Principal,
  order: ReviewOrder,
  ports: AskedPorts,
): Promise<Asked> {
  const { jobId } = order;
  const job = jobId === null ? null : await ports.visibleJob(principal, jobId, mayUseJobsOf);
  const mirrors = await ports.stored.mirrors.byFolder();
  const destination = await placeOf(principal, order, { ...ports, mirrors });
  assertEnd(order.until, ports.now());
  const isMirror = mirrors.has(destination.folder ?? '');
  const subject = job
    ? subjectOfJob(job)
    : await tagged(principal, { destination, isMirror }, ports);
  const asked = chosen(await blockingOf(subject, destination, ports), order.vulnerabilities);
  // No account pushes to a mirror: the next pull brings in what was approved.
  const isPushable = job !== null && !isMirror;
  return {
    jobId: subject.jobId,
    image: subject.image,
    destination,
    ...asked,
    counts: countsOfReview(asked.findings),
    reason: order.reason,
    ticket: order.ticket,
    until: order.until,
    push: isPushable && order.pushWhenApproved ? { state: 'wanted', code: null } : null,
    requestedBy: principal,
  };
}

/** Asking needs the right to ask there, and the right to request waivers for it. */
async function placeOf(
  principal: Principal,
  { destination: { targetImage, targetTag, folder, registryId } }: ReviewOrder,
  { resolution, rights, mirrors }: AskedPorts & Pick<KnownFolders, 'mirrors'>,
): Promise<JobDestination> {
  const order = { targetImage, targetTag, folder, registryId, host: null, username: null };
  const resolved = await destinationOf(order, principal, resolution);
  await rights.assert(principal, rightToAsk(resolved));
  assertAllowed(mayRequestWaiver(principal, resolved, mirrors));
  return keptDestination(resolved);
}

/** What blocks an image of a folder is for accounts that may pull it. */
async function tagged(
  principal: Principal,
  { destination, isMirror }: { destination: JobDestination; isMirror: boolean },
  { rights, stored }: AskedPorts,
): Promise<ReviewSubject> {
  await rights.assert(principal, { action: 'pull', repository: destination.repository });
  const held = isMirror ? await heldSubject(destination, stored) : null;
  return held ?? taggedSubject(destination, stored);
}

async function blockingOf(
  { scan, report }: ReviewSubject,
  { registryId, repository, folder }: JobDestination,
  { pushGate }: AskedPorts,
): Promise<Blocking> {
  const target = { registryId, repository, folder };
  const gate = await pushGate.open({ target, ...UNPRIVILEGED, digests: [scan.digest] });
  const judged = gate.judgeScan(scan);
  const findings = report ? reviewedFindings(report, judged.blocking) : [];
  const asked = { findings, age: ageIn(judged, scan), signatures: unsignedIn(judged) };
  if (findings.length === 0 && !isOfOneImage(judged.explanation.code ?? ''))
    throw notNeeded(judged);
  return asked;
}

/** What a waiver could cover. */
type Blocking = Pick<NewReview, 'findings' | 'age' | 'signatures'>;

/** Null where the image is old enough there, or a waiver accepts its age. */
function ageIn({ explanation }: JudgedPush, { sightedAt }: GatedScan): ReviewedAge | null {
  const { waits_until: until } = explanation;
  return until === null ? null : { sightedAt, waitsUntil: new Date(until) };
}

/** Null where what the policy asks is met or not known yet, or a waiver accepts that it is not. */
function unsignedIn({ explanation }: JudgedPush): SignatureRequirement[] | null {
  const unmet = explanation.signatures.filter(({ code }) => code !== null);
  const isCertain = unmet.some(({ code }) => code === SIGNATURE);
  return isCertain && !explanation.signature_waiver ? unmet.map(requirementRule) : null;
}

function notNeeded({ decision }: JudgedPush) {
  const why = decision.allowed
    ? 'Nothing blocks this image there: push it.'
    : `Nothing that a waiver could cover blocks this image there. ${decision.reason}`;
  return conflict('REVIEW_NOT_NEEDED', why);
}

function chosen(blocking: Blocking, wanted: readonly string[] | null): Blocking {
  const ids = new Set(askedIds(blocking));
  const other = wanted?.find((id) => !ids.has(id));
  if (other !== undefined)
    throw fieldInvalid(
      'vulnerabilities',
      'VULNERABILITY_NOT_BLOCKING',
      `${other} does not block this image there, or a waiver covers it.`,
      { vulnerability: other },
    );
  const only = wanted && new Set(wanted);
  const findings = blocking.findings.filter((each) => only?.has(each.vulnerability) ?? true);
  const age = (only?.has(AGE) ?? true) ? blocking.age : null;
  const signatures = (only?.has(SIGNATURE) ?? true) ? blocking.signatures : null;
  if (findings.length <= MOST_REVIEWED) return { findings, age, signatures };
  throw conflict(
    'REVIEW_TOO_LARGE',
    `A request asks for at most ${MOST_REVIEWED} vulnerabilities; ${findings.length} block this image.`,
    { detail: { most: MOST_REVIEWED, blocking: findings.length } },
  );
}

/** @throws invalid `WAIVER_END_INVALID` */
function assertEnd(end: Date, now: Date): void {
  if (isWaiverEnd(end, now)) return;
  const message = `An end in the future, at most ${MOST_WAIVER_DAYS} days from now, is expected.`;
  throw fieldInvalid('until', 'WAIVER_END_INVALID', message, { days: MOST_WAIVER_DAYS });
}
