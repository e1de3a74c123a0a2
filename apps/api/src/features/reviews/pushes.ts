/**
 * The pushes that follow approvals: each is requested once, as the account that asked for the
 * review, with its rights of that moment and without its privilege. What refuses one becomes a
 * comment and an event.
 */
import {
  type AuditEvent,
  isSettled,
  type JobStatus,
  type Principal,
  REVIEW_PUSH_REFUSED,
  ROOT_FOLDER,
  reviewChange,
  reviewDestinationName,
  reviewResource,
} from '@portcullis/domain';
import { conflict, forbidden, isAppError } from '@portcullis/errors';
import { systemEvent } from '@portcullis/events';
import type { Logger } from '@portcullis/runtime';
import type { AuditScope, Store, StoredReview } from '@portcullis/store';
import type { StagingService } from '../staging/service.ts';

export interface ReviewPushPorts {
  reviews: Pick<Store['reviews'], 'takeDuePushes' | 'settlePush'>;
  requestPush: StagingService['requestPush'];
  /** The account with its present grants; null once it is gone or disabled. */
  account(id: string): Promise<Principal | null>;
  audit: {
    scope(draft: () => AuditEvent): AuditScope;
    end(scope: AuditScope, event: AuditEvent | null): Promise<void>;
  };
  log: Pick<Logger, 'warn'>;
  now(): Date;
}

/** How long a push that can't be decided yet is tried again. */
const PATIENCE_MS = 3_600_000;
const LEASE_MS = 60_000;

export function createReviewPushes(ports: ReviewPushPorts) {
  const { reviews, now } = ports;

  /** Requests the pushes that are due, or that of one request. Never throws. */
  async function settle(number?: number): Promise<void> {
    try {
      const at = now();
      const lease = new Date(at.getTime() + LEASE_MS);
      const only = number === undefined ? {} : { number };
      for (const review of await reviews.takeDuePushes({ now: at, lease, ...only }))
        await settleOne(review).catch((err: unknown) =>
          ports.log.warn({ err, review: review.number }, 'an approved push is requested later'),
        );
    } catch (err) {
      ports.log.warn({ err }, 'approved pushes are requested later');
    }
  }

  async function settleOne(review: StoredReview): Promise<void> {
    try {
      await push(review);
      await reviews.settlePush(review.number, { state: 'requested', code: null });
    } catch (error) {
      // Also what is no fault of the request is tried again, by the lease.
      if (!isAppError(error) || !isFinal(error, review, now())) throw error;
      const { code, message: text } = error;
      const comment = { author: null, text, code };
      const event = refusalOf(review, { code, text });
      await reviews.settlePush(review.number, { state: 'refused', code, comment, event });
    }
  }

  async function push(review: StoredReview): Promise<void> {
    const { number, jobId, jobDigest, requestedById } = review;
    const author = await ports.account(requestedById);
    if (!author)
      throw forbidden('ACCOUNT_DISABLED', 'The account that asked for the push is disabled.');
    const changed = reviewChange(review, jobDigest);
    if (changed !== null || jobId === null)
      throw conflict('REVIEW_OUTDATED', 'The job was removed, or has another image now.');
    await record(review, (asked) =>
      ports.requestPush(author, jobId, orderOf(review), {
        // A visible header can't have a space: no request of the account uses this key.
        idempotency: { key: `review ${number}`, bodyHash: String(number), replayed() {} },
        ...asked,
      }),
    );
  }

  /** The push is an event of its requester, apart from that of the decision. */
  async function record(
    review: StoredReview,
    work: (asked: Asked) => Promise<unknown>,
  ): Promise<void> {
    const { number, requestedById: id, requestedBy: name } = review;
    let event = systemEvent({
      event: 'staging.push',
      outcome: 'success',
      actor: { id, name },
      action: 'push when approved',
      resource: null,
      detail: { review: number },
    });
    const scope = ports.audit.scope(() => event);
    const asked: Asked = {
      about: (resource) => {
        event = { ...event, resource };
      },
      note: (detail) => {
        event = { ...event, detail: { ...event.detail, ...detail } };
      },
    };
    try {
      await scope.run(() => work(asked));
    } catch (error) {
      await ports.audit.end(scope, null);
      throw error;
    }
    await ports.audit.end(scope, event);
  }

  return { settle };
}
export type ReviewPushes = ReturnType<typeof createReviewPushes>;

type Asked = Pick<Parameters<StagingService['requestPush']>[3], 'about' | 'note'>;

function orderOf({ destination }: StoredReview) {
  const { kind, registryId, folder, repository, tag } = destination;
  return {
    targetImage: repository,
    targetTag: tag,
    folder: folder === ROOT_FOLDER ? null : folder,
    registryId: kind === 'local' ? null : registryId,
    host: null,
    username: null,
    password: null,
    bypass: { allowed: false, reason: null },
  };
}

/** What is unavailable, and a job that is being scanned, may be another thing in a minute. */
function isFinal(
  {
    kind,
    code,
    detail,
  }: { kind: string; code: string; detail?: Record<string, unknown> | undefined },
  { closed }: StoredReview,
  now: Date,
): boolean {
  const isPast = now.getTime() - (closed?.at.getTime() ?? 0) > PATIENCE_MS;
  if (isPast) return true;
  if (kind === 'unavailable') return false;
  return code !== 'JOB_NOT_READY' || isSettled(detail?.status as JobStatus);
}

function refusalOf(review: StoredReview, { code, text }: { code: string; text: string }) {
  const { number, destination, requestedById, requestedBy } = review;
  return systemEvent({
    event: REVIEW_PUSH_REFUSED,
    outcome: 'success',
    actor: { id: null, name: 'gate' },
    action: 'push when approved',
    resource: reviewResource(review),
    detail: {
      ...{ number, code, text, job_id: review.jobId },
      destination: reviewDestinationName(destination),
      requested_by: { id: requestedById, name: requestedBy },
    },
  });
}
