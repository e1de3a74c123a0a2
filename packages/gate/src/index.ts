/** The gate's standings and decisions, for the api and the worker. */
export type { CopyDoors } from './copy-doors.ts';
export { decideAt } from './doors.ts';
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
export { type LocalWriterPorts, openLocalWriter } from './local-writer.ts';
export { createShapes } from './manifest-shape.ts';
export { type Doors, openDoors } from './open-doors.ts';
export type { DecidedPull } from './pull-door.ts';
export {
  assertPushed,
  decisionIn,
  type JudgedPush,
  type OpenPushDoor,
  type PushDoor,
} from './push-door.ts';
export type { GatedScan, PushPlace } from './push-explanation.ts';
export type { EnteringImage } from './quota/entering.ts';
export {
  type FolderQuotas,
  UNUSED_QUOTAS,
} from './quota/folder-quotas.ts';
export { refusalLine } from './refusal-line.ts';
export { expiredIn } from './retention/expired-in.ts';
export type { GateRules } from './rules.ts';
export { createVexDocuments } from './waivers/vex-documents.ts';
export { vexRequests } from './waivers/vex-requests.ts';
export { createWaiverReviews } from './waivers/waiver-reviews.ts';
