/** Ends review requests that were not decided in time, each once. */
import {
  REVIEW_EXPIRED,
  reviewBeside,
  reviewDestinationName,
  reviewResource,
  vulnerabilitiesIn,
} from '@portcullis/domain';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import type { Store, StoredReview } from '@portcullis/store';

export interface EndReviewsPorts {
  reviews: Pick<Store['reviews'], 'takeExpired'>;
  audit: Pick<AuditLog, 'flush'>;
  now(): Date;
}

export async function endReviews({ reviews, audit, now }: EndReviewsPorts): Promise<void> {
  const at = now();
  const ended = await reviews.takeExpired(at, (taken) => taken.map((each) => expired(each, at)));
  if (ended.length > 0) await audit.flush();
}

function expired(review: StoredReview, now: Date): AuditEvent {
  const { number, image, destination, requestedById, requestedBy, state, age, signatures } = review;
  const findings = vulnerabilitiesIn(review.vulnerabilities).length;
  return systemEvent({
    event: REVIEW_EXPIRED,
    outcome: 'success',
    actor: { id: null, name: 'gate' },
    action: 'expire',
    resource: reviewResource(review),
    detail: {
      ...{ number, state, job_id: review.jobId, digest: image.digest },
      destination: reviewDestinationName(destination),
      findings,
      ...reviewBeside(review),
      ...(age && !signatures && findings === 0 && { old_enough: age.waitsUntil <= now }),
      approvals: review.approvals.length,
      requested_by: { id: requestedById, name: requestedBy },
    },
  });
}
