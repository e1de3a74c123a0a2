/** The gate's standings and decisions, for the api and the worker. */
export type { CopyGate } from './copy-gate.ts';
export { decideAt } from './decide-at.ts';
export { explainImage } from './explain-image.ts';
export { type ExplainedDecision, explain, outcomeWord } from './explanation.ts';
export { hasFailedScan, NEVER_SCANNED } from './failed-scan.ts';
export { createGate, type Gate, pendingIn } from './gate.ts';
export { taggedSubject } from './image-subject.ts';
export {
  type ImmutableTags,
  type KeptDigests,
  type TagWrite,
  UNUSED_TAGS,
} from './immutable/immutable-tags.ts';
export type { ReadRepository } from './immutable/reachable.ts';
export { type DecidedPull, strictestFor } from './manifest-decision.ts';
export { createShapes } from './manifest-shape.ts';
export { type Gates, openGates } from './open-gates.ts';
export { type GatedScan, gatedScan, type PushTarget } from './push-explanation.ts';
export {
  assertPushed,
  decisionIn,
  isScannedAtRetry,
  type JobStanding,
  type JudgedPush,
  type OpenPushGate,
  type OpenStandings,
  type PushGate,
  UNPRIVILEGED,
} from './push-gate.ts';
export type { EnteringImage } from './quota/entering.ts';
export {
  type FolderQuotas,
  UNUSED_QUOTAS,
} from './quota/folder-quotas.ts';
export { refusalLine } from './refusal-line.ts';
export { expiredIn } from './retention/expired-in.ts';
export type { GateRules } from './rules.ts';
export { assertAuthorMay, validApprovals } from './waivers/accounts-of-waivers.ts';
export type { AgeFixes } from './waivers/age-fixes.ts';
export { createVexDocuments } from './waivers/vex-documents.ts';
export { vexRequests } from './waivers/vex-requests.ts';
export { createWaiverReviews } from './waivers/waiver-reviews.ts';
export { type AttestationTagPorts, exchangeAttestation } from './writing/attestation-tag.ts';
export { openLocalWriter } from './writing/local-writer.ts';
export {
  type ReferrerPorts,
  referrerArtifact,
  storeReferrer,
} from './writing/referrer.ts';
