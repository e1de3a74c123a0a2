/**
 * Which messages an audit event becomes for a webhook, and what they contain. A message has the
 * fields that are named here and no others: an audit event also has addresses and accounts that a
 * receiver must not learn.
 */
import { GATE_CODES } from '../job/blocked-job.ts';
import { EVENT_STANDING, isBlockedScan } from '../standing/event-standing.ts';
import {
  IMAGE_BLOCKED,
  IMAGE_CLEARED,
  VULNERABILITY_APPEARED,
} from '../standing/standing-events.ts';
import { WAIVER_ENDING } from '../waivers/waiver.ts';
import type { WebhookKind, WebhookMessage } from './webhook-kinds.ts';

/** The parts of an audit event that messages are made of. */
export interface WebhookSource {
  id: string;
  at: string;
  event: string;
  outcome: 'success' | 'denied' | 'failure';
  actor: { name: string };
  resource: {
    kind: string;
    id: string | null;
    name: string | null;
    folder?: string | undefined;
  } | null;
  detail: Record<string, unknown>;
}

/** @param folder Only what concerns this folder; null: everything. */
export function webhookMessages(source: WebhookSource, folder: string | null): WebhookMessage[] {
  if (source.event.startsWith('staging.')) return ofJob(source, folder);
  if (source.outcome !== 'success') return [];
  if (source.event === 'image.push') return ofPush(source, folder);
  if (source.event === IMAGE_BLOCKED || source.event === IMAGE_CLEARED)
    return ofStanding(source, source.event, folder);
  if (source.event === VULNERABILITY_APPEARED) return ofVulnerability(source, folder);
  if (source.event === 'mirror.last_good') return ofMirror(source, folder);
  if (source.event === WAIVER_ENDING) return ofEnding(source, folder);
  const review = REVIEW_KINDS.find((kind) => kind === source.event);
  if (review !== undefined) return ofReview(source, review, folder);
  const waiver = WAIVER_KINDS.find((kind) => kind === source.event);
  return waiver === undefined ? [] : ofWaiver(source, waiver, folder);
}

const WAIVER_KINDS = [
  'waiver.requested',
  'waiver.approved',
  'waiver.rejected',
  'waiver.revoked',
  'waiver.expired',
] as const satisfies WebhookKind[];

const REVIEW_KINDS = [
  'review.requested',
  'review.commented',
  'review.decided',
  'review.withdrawn',
  'review.expired',
  'review.push_refused',
] as const satisfies WebhookKind[];

const STAGES: Record<string, WebhookKind> = {
  'staging.pulled': 'job.pulled',
  'staging.scanned': 'job.scanned',
  'staging.pushed': 'job.pushed',
};

const JOB_FIELDS = [
  'source',
  'digest',
  'size',
  'verdict',
  'counts',
  EVENT_STANDING,
  'destination',
  'transfer_id',
  'error',
];

function ofJob(source: WebhookSource, folder: string | null): WebhookMessage[] {
  const { id, detail, resource } = source;
  if (folder !== null && !isBelow(textOf(detail, 'local_repository'), folder)) return [];
  const image = resource?.name ?? null;
  const data = {
    job_id: resource?.id ?? null,
    image,
    account: source.actor.name,
    ...fieldsOf(detail, JOB_FIELDS),
  };
  return kindsOfJob(source).map((kind) => ({
    // A scan may be two messages; receivers recognize repetitions by the id.
    ...headOf(source, kind, image),
    id: kind === 'job.blocked' ? `${id}-blocked` : id,
    data,
  }));
}

function kindsOfJob({ event, outcome, detail }: WebhookSource): WebhookKind[] {
  const done = Object.hasOwn(STAGES, event) ? STAGES[event] : undefined;
  if (done === undefined) return [];
  if (outcome === 'success') {
    const blocked = done === 'job.scanned' && isBlockedScan(detail);
    return blocked ? [done, 'job.blocked'] : [done];
  }
  const code = textOf(detail.error, 'code');
  return [GATE_CODES.some((each) => each === code) ? 'job.blocked' : 'job.failed'];
}

function ofPush(source: WebhookSource, folder: string | null): WebhookMessage[] {
  const { resource, detail } = source;
  if (folder !== null && resource?.folder !== folder) return [];
  const repository = resource?.name ?? null;
  const data = {
    repository,
    reference: detail.reference ?? null,
    digest: resource?.id ?? null,
    account: source.actor.name,
  };
  return [{ ...headOf(source, 'image.pushed', repository), data }];
}

const STANDING_FIELDS = [
  'tags',
  EVENT_STANDING,
  'policy',
  'verdict',
  'code',
  'blocking',
  'blocking_total',
  'grace_until',
];

function ofStanding(
  source: WebhookSource,
  kind: typeof IMAGE_BLOCKED | typeof IMAGE_CLEARED,
  folder: string | null,
): WebhookMessage[] {
  const { resource, detail } = source;
  if (folder !== null && resource?.folder !== folder) return [];
  const repository = resource?.name ?? null;
  const digest = resource?.id ?? null;
  const data = { repository, digest, ...fieldsOf(detail, STANDING_FIELDS) };
  return [{ ...headOf(source, kind, repository), data }];
}

const MIRROR_FIELDS = ['tag', 'because', 'upstream_digest', 'code'];

function ofMirror(source: WebhookSource, folder: string | null): WebhookMessage[] {
  const { resource, detail } = source;
  if (folder !== null && resource?.folder !== folder) return [];
  const repository = resource?.name ?? null;
  const data = { repository, digest: resource?.id ?? null, ...fieldsOf(detail, MIRROR_FIELDS) };
  return [{ ...headOf(source, 'mirror.last_good', repository), data }];
}

function ofVulnerability(source: WebhookSource, folder: string | null): WebhookMessage[] {
  const { detail, resource } = source;
  const folders = Array.isArray(detail.folders) ? detail.folders : [];
  if (folder !== null && !folders.includes(folder)) return [];
  const vulnerability = resource?.name ?? null;
  // Accounts of this folder must not learn of others, nor how many images they have.
  const where = folder === null ? { images: detail.images, folders } : { folders: [folder] };
  const data = { vulnerability, severity: detail.severity ?? null, ...where };
  return [{ ...headOf(source, 'vulnerability.appeared', vulnerability), data }];
}

function ofEnding(source: WebhookSource, folder: string | null): WebhookMessage[] {
  const listed: unknown[] = Array.isArray(source.detail.waivers) ? source.detail.waivers : [];
  const waivers = listed.filter((waiver) => folder === null || textOf(waiver, 'folder') === folder);
  if (waivers.length === 0) return [];
  return [{ ...headOf(source, 'waiver.ending', null), data: { waivers } }];
}

const WAIVER_FIELDS = [
  'package',
  'package_version',
  'repository',
  'digest',
  'status',
  'reason',
  'ticket',
  'expires_at',
  'state',
];

function ofWaiver(
  source: WebhookSource,
  kind: WebhookKind,
  folder: string | null,
): WebhookMessage[] {
  const { resource, detail, actor } = source;
  const of = resource?.folder ?? textOf(detail, 'folder') ?? null;
  if (folder !== null && of !== folder) return [];
  // An imported document has one event for all waivers that it requests.
  const imported = resource?.kind === 'vex_document';
  const what = imported
    ? { document: resource.name, ...fieldsOf(detail, ['requested', 'waivers']) }
    : { waiver_id: resource?.id ?? null, vulnerability: resource?.name ?? null };
  const data = { ...what, folder: of, account: actor.name, ...fieldsOf(detail, WAIVER_FIELDS) };
  return [{ ...headOf(source, kind, resource?.name ?? null), data }];
}

const REVIEW_FIELDS = [
  'number',
  'state',
  'source',
  'digest',
  'destination',
  'job_id',
  'findings',
  'waits_until',
  'old_enough',
  'approved',
  'counts',
  'reason',
  'ticket',
  'until',
  'comment',
  'text',
  'code',
];

function ofReview(
  source: WebhookSource,
  kind: (typeof REVIEW_KINDS)[number],
  folder: string | null,
): WebhookMessage[] {
  const { resource, detail, actor } = source;
  const of = resource?.folder ?? null;
  if (folder !== null && of !== folder) return [];
  // An approval that others have to follow decides nothing yet.
  if (kind === 'review.decided' && detail.state === 'open') return [];
  const data = {
    image: resource?.name ?? null,
    folder: of,
    account: actor.name,
    requested_by: textOf(detail.requested_by, 'name') ?? null,
    ...fieldsOf(detail, REVIEW_FIELDS),
  };
  return [{ ...headOf(source, kind, resource?.name ?? null), data }];
}

function headOf({ id, at: time }: WebhookSource, kind: WebhookKind, subject: string | null) {
  return { id, kind, time, subject };
}

/** Fields that the event doesn't have remain absent. */
function fieldsOf(
  detail: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => detail[name] != null).map((name) => [name, detail[name]]),
  );
}

function isBelow(repository: string | undefined, folder: string): boolean {
  return repository?.startsWith(`${folder}/`) ?? false;
}

function textOf(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, field);
  return typeof found === 'string' ? found : undefined;
}
