/** Ends review requests that were not decided in time, each once. */
import { REVIEW_EXPIRED, reviewDestinationName, reviewResource } from '@portcullis/domain';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import type { Store, StoredReview } from '@portcullis/store';

export interface EndReviewsPorts {
  reviews: Pick<Store['reviews'], 'takeExpired'>;
  audit: Pick<AuditLog, 'flush'>;
  now(): Date;
}

export async function endReviews({ reviews, audit, now }: EndReviewsPorts): Promise<void> {
  const ended = await reviews.takeExpired(now(), (taken) => taken.map(expired));
  if (ended.length > 0) await audit.flush();
}

function expired(review: StoredReview): AuditEvent {
  const { number, image, destination, requestedById, requestedBy, state } = review;
  return systemEvent({
    event: REVIEW_EXPIRED,
    outcome: 'success',
    actor: { id: null, name: 'gate' },
    action: 'expire',
    resource: reviewResource(review),
    detail: {
      ...{ number, state, job_id: review.jobId, digest: image.digest },
      destination: reviewDestinationName(destination),
      findings: review.vulnerabilities.length,
      approvals: review.approvals.length,
      requested_by: { id: requestedById, name: requestedBy },
    },
  });
}
