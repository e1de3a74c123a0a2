/** The row of a review request, with the names that it refers to. */
import {
  type JobDestination,
  LOCAL_REGISTRY_ID,
  REVIEW_PUSH_STATES,
  type ReviewApproval,
  type ReviewedFinding,
  type ReviewPush,
  type ReviewState,
  type SeverityCounts,
  type SignatureRequirement,
} from '@portcullis/domain';
import type { Review as Row } from '../generated/client.ts';
import type { DetailedReview, StoredReview } from './records.ts';

export const WITH_NAMES = {
  folder: { select: { name: true } },
  requestedBy: { select: { username: true } },
  job: { select: { digest: true, ownerId: true } },
  // Counted here: Prisma's `_count` groups the comments of all requests.
  comments: { select: { reviewNumber: true } },
} as const;
/** Up to half a megabyte for each row. */
export const WITHOUT_FINDINGS = { findings: true } as const;

interface Names {
  folder: { name: string } | null;
  requestedBy: { username: string };
  job: { digest: string | null; ownerId: string } | null;
  comments: unknown[];
}

type NamedRow = Omit<Row, 'findings'> & Names;

interface StoredApproval extends Omit<ReviewApproval, 'at' | 'until'> {
  at: string;
  /** Absent in what was stored before an approval could end sooner. */
  until?: string | null;
}

export function toReview(row: NamedRow): StoredReview {
  // The columns contain what this package wrote.
  const approvals = row.approvals as unknown as StoredApproval[];
  return {
    number: row.number,
    state: row.state as ReviewState,
    jobId: row.jobId,
    image: {
      digest: row.digest,
      registryId: row.sourceRegistryId,
      host: row.sourceHost,
      repository: row.image,
      tag: row.tag,
    },
    destination: destinationOf(row),
    vulnerabilities: row.vulnerabilities,
    age: row.waitsUntil && { sightedAt: row.sightedAt, waitsUntil: row.waitsUntil },
    signatures: row.signatures as unknown as SignatureRequirement[] | null,
    counts: row.counts as unknown as SeverityCounts,
    reason: row.reason,
    ticket: row.ticket,
    until: row.until,
    push: pushOf(row),
    requestedById: row.requestedById,
    approvals: approvals.map(({ at, until, ...approval }) => ({
      ...approval,
      at: new Date(at),
      until: until ? new Date(until) : null,
    })),
    approved: row.approved,
    closed: row.closedAt && {
      accountId: row.closedById,
      username: row.closedBy,
      at: row.closedAt,
      comment: row.closedComment,
    },
    createdAt: row.createdAt,
    endsAt: row.endsAt,
    requestedBy: row.requestedBy.username,
    jobDigest: row.job?.digest ?? null,
    jobOwnerId: row.job?.ownerId ?? null,
    commentsTotal: row.comments.length,
    updatedAt: row.updatedAt,
  };
}

export function toDetailed(row: Row & Names): DetailedReview {
  return { ...toReview(row), findings: row.findings as unknown as ReviewedFinding[] };
}

function destinationOf({ kind, folder, registryId, host, repository, targetTag }: NamedRow) {
  const place = { host, repository, tag: targetTag };
  const destination: JobDestination =
    kind === 'local'
      ? { kind, registryId: LOCAL_REGISTRY_ID, folder: folder?.name ?? null, ...place }
      : { kind: 'registry', registryId, folder: null, ...place };
  return destination;
}

function pushOf({ pushState, pushCode: code }: NamedRow): ReviewPush | null {
  const state = REVIEW_PUSH_STATES.find((each) => each === pushState);
  return state === undefined ? null : { state, code };
}
