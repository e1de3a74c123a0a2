/** Which audit event notifies which accounts, and of what. */
import { GATE_CODES } from '../job/blocked-job.ts';
import { REVIEW_COMMENTED, REVIEW_PUSH_REFUSED, REVIEW_REQUESTED } from '../reviews/review.ts';
import { isBlockedScan, type SaidStanding, standingIn } from '../standing/event-standing.ts';
import { IMAGE_BLOCKED, IMAGE_CLEARED } from '../standing/standing-events.ts';
import { WAIVER_ENDING, WAIVERS_WAITING } from '../waivers/waiver.ts';
import type { WebhookSource } from '../webhooks/webhook-messages.ts';
import type { NotificationKind } from './notification-kinds.ts';

/** The parts of an audit event that notifications are made of. */
export interface NotificationSource extends Omit<WebhookSource, 'actor'> {
  actor: { id: string | null; name: string };
}

export const WAIVER_DECISIONS = ['approved', 'rejected', 'revoked'] as const;
type WaiverDecision = (typeof WAIVER_DECISIONS)[number];

/** What became of a review request, as its requester is notified of it. */
export const REVIEW_OUTCOMES = [
  'approved',
  'partly_approved',
  'rejected',
  'withdrawn',
  'expired',
  'old_enough',
  'push_refused',
] as const;
type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Facts that a text names; those that the event does not have are absent. */
interface NotificationFacts {
  /** Why the gate or a stage stopped the job. */
  code?: string;
  /** Where the image was pushed to. */
  destination?: string;
  /** Whether that is the built-in registry. */
  local?: boolean;
  digest?: string;
  policy?: string;
  /** Those of the image. */
  tags?: string[];
  /** How the image stands, in the numbers of lists and pages. */
  standing?: SaidStanding;
  /** Until when a blocked image is still served. */
  graceUntil?: string;
  /** How many waivers, or how many vulnerabilities a review request asks for. */
  count?: number;
  /** The number of a review request, what became of it, and its job. */
  review?: number;
  outcome?: ReviewOutcome;
  approved?: number;
  /** Until when an image waits for an age that a review request asks for. */
  waitsUntil?: string;
  /** The authorities whose signatures an image lacks, where a review request asks for that. */
  missingSignatures?: string[];
  jobId?: string;
  decision?: WaiverDecision;
  /** The account that decided. */
  by?: string;
  reason?: string;
  endsAt?: string;
  pushed?: number;
  blocked?: number;
  failed?: number;
}

export const NOTIFICATION_TARGETS = ['job', 'transfer', 'image', 'waiver', 'review'] as const;

export interface NotificationContent {
  kind: NotificationKind;
  /** The same for repetitions of the event; an account has one notification for each key. */
  key: string;
  /** An image, a repository or a vulnerability. */
  subject: string;
  target: (typeof NOTIFICATION_TARGETS)[number];
  /** The job, the transfer, the waiver or the number of the review; null for several waivers. */
  targetId: string | null;
  /** The rights on its folder decide whether the notification is shown. */
  repository: string | null;
  /** Of waivers and of a review request for one folder. */
  folder: string | null;
  facts: NotificationFacts;
  at: string;
}

type NotificationRecipients =
  | { accounts: string[] }
  /** Accounts that may review one of these waivers, and did not request it. */
  | { reviewersOf: string[] }
  /** Accounts that may decide about this open review request. */
  | { decidersOf: number }
  /** The accounts that requested it, approved it or wrote into its thread; not this one. */
  | { participantsOf: number; but: string | null }
  /** The account that requested the waiver, where it still has this decision of another account. */
  | { requesterOf: string; decision: WaiverDecision; decidedBy: string | null };

export interface NotificationDraft extends NotificationContent {
  to: NotificationRecipients;
}

/** Jobs of a transfer notify together, when the transfer has finished. */
export function notificationsOf(source: NotificationSource): NotificationDraft[] {
  const { event, outcome, detail } = source;
  if (event.startsWith('staging.')) return detail.transfer_id == null ? ofJob(source) : [];
  if (outcome !== 'success') return [];
  if (event === IMAGE_BLOCKED || event === IMAGE_CLEARED) return ofStanding(source, event);
  if (event === WAIVERS_WAITING) return ofWaiting(source);
  if (event === WAIVER_ENDING) return ofEnding(source);
  if (event.startsWith('review.')) return ofReview(source);
  const decision = WAIVER_DECISIONS.find((each) => event === `waiver.${each}`);
  return decision === undefined ? [] : ofDecision(source, decision);
}

function ofJob(source: NotificationSource): NotificationDraft[] {
  const { actor, resource, detail } = source;
  const kind = kindOfJob(source);
  if (kind === null || actor.id === null || !resource?.id) return [];
  const facts = {
    ...textIn(detail.error, 'code', 'code'),
    ...destinationOf(detail),
    ...(kind !== 'job.failed' && standingFact(detail)),
  };
  const target = { target: 'job', targetId: resource.id } as const;
  return [{ ...contentOf(source, kind), ...target, facts, to: { accounts: [actor.id] } }];
}

/** Jobs name the repository apart from the destination if it is in the built-in registry. */
function destinationOf(
  detail: NotificationSource['detail'],
): Pick<NotificationFacts, 'destination' | 'local'> {
  const { destination } = textIn(detail, 'destination', 'destination');
  if (destination === undefined) return {};
  return { destination, local: typeof detail.local_repository === 'string' };
}

function standingFact(detail: NotificationSource['detail']): Pick<NotificationFacts, 'standing'> {
  const standing = standingIn(detail);
  return standing === null ? {} : { standing };
}

function kindOfJob({ event, outcome, detail }: NotificationSource): NotificationKind | null {
  if (!/^staging\.(pulled|scanned|pushed)$/.test(event)) return null;
  if (outcome !== 'success') {
    const { code } = textIn(detail.error, 'code', 'code');
    return GATE_CODES.some((each) => each === code) ? 'job.blocked' : 'job.failed';
  }
  if (event === 'staging.pushed') return 'job.pushed';
  return event === 'staging.scanned' && isBlockedScan(detail) ? 'job.blocked' : null;
}

function ofStanding(
  source: NotificationSource,
  kind: typeof IMAGE_BLOCKED | typeof IMAGE_CLEARED,
): NotificationDraft[] {
  const { resource, detail } = source;
  const accounts = listOf(detail.owners).flatMap((owner) => textIn(owner, 'id', 'id').id ?? []);
  const repository = resource?.name ?? null;
  if (accounts.length === 0 || repository === null) return [];
  const facts = {
    ...(resource?.id && { digest: resource.id }),
    ...textIn(detail, 'policy', 'policy'),
    tags: listOf(detail.tags).filter((tag) => typeof tag === 'string'),
    ...textIn(detail, 'code', 'code'),
    ...standingFact(detail),
    ...textIn(detail, 'grace_until', 'graceUntil'),
  };
  return [{ ...contentOf(source, kind), target: 'image', repository, facts, to: { accounts } }];
}

/** One for each folder, because its reader may lose the right to one of them. */
function ofWaiting(source: NotificationSource): NotificationDraft[] {
  const byFolder = Map.groupBy(
    listOf(source.detail.waivers),
    (waiver) => textIn(waiver, 'folder', 'folder').folder ?? null,
  );
  return [...byFolder].flatMap(([folder, waivers]) => {
    const ids = waivers.flatMap((waiver) => textIn(waiver, 'id', 'id').id ?? []);
    if (ids.length === 0) return [];
    const content = { ...ofWaivers(source, 'waiver.waiting', waivers), folder };
    const key = `${source.id} ${folder ?? ''}`;
    return [{ ...content, key, to: { reviewersOf: ids } }];
  });
}

function ofEnding(source: NotificationSource): NotificationDraft[] {
  const account = source.resource?.id;
  const waivers = listOf(source.detail.waivers);
  if (!account || waivers.length === 0) return [];
  const content = ofWaivers(source, 'waiver.ending', waivers);
  const ends = waivers.flatMap((waiver) => textIn(waiver, 'expires_at', 'at').at ?? []).toSorted();
  const [endsAt] = ends;
  const facts = { ...content.facts, ...(endsAt !== undefined && { endsAt }) };
  return [{ ...content, facts, to: { accounts: [account] } }];
}

function ofWaivers(
  source: NotificationSource,
  kind: NotificationKind,
  waivers: readonly unknown[],
): NotificationContent {
  const [first] = waivers;
  return {
    ...contentOf(source, kind),
    target: 'waiver',
    targetId: waivers.length === 1 ? (textIn(first, 'id', 'id').id ?? null) : null,
    subject: textIn(first, 'vulnerability', 'name').name ?? '',
    facts: { count: waivers.length },
  };
}

function ofDecision(source: NotificationSource, decision: WaiverDecision): NotificationDraft[] {
  const { resource, actor } = source;
  if (!resource?.id) return [];
  const facts = { decision, by: actor.name };
  const to = { requesterOf: resource.id, decision, decidedBy: actor.id };
  const target = { target: 'waiver', targetId: resource.id } as const;
  return [{ ...contentOf(source, 'waiver.decided'), ...target, facts, to }];
}

function ofReview(source: NotificationSource): NotificationDraft[] {
  const { event, resource, detail, actor } = source;
  const { number } = detail;
  if (typeof number !== 'number') return [];
  const content = {
    ...({ target: 'review', targetId: String(number), folder: resource?.folder ?? null } as const),
    facts: { review: number, by: actor.name, ...reviewFacts(detail) },
  };
  if (event === REVIEW_REQUESTED)
    return [{ ...contentOf(source, 'review.waiting'), ...content, to: { decidersOf: number } }];
  if (event === REVIEW_COMMENTED) {
    const to = { participantsOf: number, but: actor.id };
    return [{ ...contentOf(source, 'review.commented'), ...content, to }];
  }
  const outcome = outcomeOf(source);
  const { id: author } = textIn(detail.requested_by, 'id', 'id');
  if (outcome === null || author === undefined) return [];
  if (outcome === 'withdrawn' && actor.id === author) return [];
  const facts = { ...content.facts, outcome, ...textIn(detail, 'comment', 'reason') };
  const to = { accounts: [author] };
  return [{ ...contentOf(source, 'review.decided'), ...content, facts, to }];
}

/** Null while the request is open. */
function outcomeOf({ event, detail }: NotificationSource): ReviewOutcome | null {
  const { state } = textIn(detail, 'state', 'state');
  const ended = detail.old_enough === true ? 'old_enough' : state;
  const what = event === REVIEW_PUSH_REFUSED ? 'push_refused' : ended;
  return REVIEW_OUTCOMES.find((each) => each === what) ?? null;
}

function reviewFacts(detail: NotificationSource['detail']): Partial<NotificationFacts> {
  const { findings, approved, missing_signatures: missing } = detail;
  return {
    ...(typeof findings === 'number' && { count: findings }),
    ...(typeof approved === 'number' && { approved }),
    ...textIn(detail, 'destination', 'destination'),
    ...textIn(detail, 'waits_until', 'waitsUntil'),
    ...(Array.isArray(missing) && { missingSignatures: missing.map(String) }),
    ...textIn(detail, 'job_id', 'jobId'),
    ...textIn(detail, 'code', 'code'),
  };
}

function contentOf({ id, at, resource }: NotificationSource, kind: NotificationKind) {
  return {
    ...{ kind, key: id, at, subject: resource?.name ?? '' },
    ...{ targetId: null, repository: null, folder: null },
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a field under another name; nothing where it is no text. */
function textIn<K extends string>(
  from: unknown,
  field: string,
  name: K,
): Partial<Record<K, string>> {
  const value: unknown =
    typeof from === 'object' && from !== null ? Reflect.get(from, field) : undefined;
  const found: Partial<Record<K, string>> = {};
  if (typeof value === 'string') found[name] = value;
  return found;
}
