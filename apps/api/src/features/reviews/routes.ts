/** Serves review requests, their threads and their decisions. */
import { contract, type InputOf } from '@portcullis/contract';
import {
  reviewBeside,
  reviewDestinationName,
  reviewResource,
  reviewViewer,
  type ThreatFeeds,
  vulnerabilitiesIn,
} from '@portcullis/domain';
import { formatImage } from '@portcullis/oci';
import type { StoredReview } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { ReviewOrder } from './asked.ts';
import { type ReviewFactPorts, reviewFacts } from './detail.ts';
import { presentComment, presentDetail, presentReview, type ReviewView } from './present.ts';
import type { ReviewsService } from './service.ts';

interface ReviewRoutePorts {
  service: ReviewsService;
  detail: ReviewFactPorts;
  feeds(): ThreatFeeds;
  now(): Date;
}

type Call = ApiCall<ReviewView['principal']>;

export function reviewRoutes({ service, detail, feeds, now }: ReviewRoutePorts): Route[] {
  const viewOf = ({ principal }: Call): ReviewView => ({
    ...{ principal, feeds: feeds(), now: now() },
    approvalsNeeded: service.approvalsNeeded,
  });

  return implement(contract.reviews, {
    async list({ query: { to_decide: toDecide, ...query } }, call) {
      const page = await service.list(call.principal, { ...query, toDecide });
      announcePage(call, page);
      const view = viewOf(call);
      return page.items.map((review) => presentReview(review, view));
    },

    count: (_, call) => service.count(call.principal),

    async request({ body }, call) {
      call.about({ kind: 'review', id: null, name: body.target_image });
      const { vulnerabilities: _, ...noted } = body;
      call.note(noted);
      const review = await service.request(call.principal, orderOf(body));
      about(call, review);
      call.header('Location', `/api/reviews/${review.number}`);
      return presentReview(review, viewOf(call));
    },

    async get({ params }, call) {
      const review = await service.visible(call.principal, params.number);
      const view = viewOf(call);
      const seen = { visibleTo: reviewViewer(call.principal), now: view.now };
      return presentDetail(review, await reviewFacts(review, seen, detail), view);
    },

    async decide({ params: { number }, body }, call) {
      noteNumber(call, number);
      const { decision, except, until, comment } = body;
      call.note({ decision, except, comment, approved_until: until });
      const order = { decision, except, comment, until: until === null ? null : new Date(until) };
      const review = await service.decide(call.principal, number, order);
      about(call, review);
      call.note({ needed: service.approvalsNeeded });
      return presentReview(review, viewOf(call));
    },

    async withdraw({ params: { number }, body: { comment } }, call) {
      noteNumber(call, number);
      call.note({ comment });
      const review = await service.withdraw(call.principal, number, comment);
      about(call, review);
      return presentReview(review, viewOf(call));
    },

    async comment({ params: { number }, body: { text } }, call) {
      noteNumber(call, number);
      call.note({ text });
      const { comment, review } = await service.comment(call.principal, number, text);
      about(call, review);
      return presentComment(comment);
    },
  });
}

function orderOf(body: InputOf<typeof contract.reviews.request>['body']): ReviewOrder {
  return {
    jobId: body.job_id ?? null,
    destination: {
      targetImage: body.target_image,
      targetTag: body.target_tag,
      folder: body.folder ?? null,
      registryId: body.external_registry_id ?? null,
    },
    vulnerabilities: body.vulnerabilities ?? null,
    reason: body.reason,
    ticket: body.ticket,
    until: new Date(body.until),
    pushWhenApproved: body.push_when_approved,
  };
}

/** Notes the number; the rest is known after the request is found. */
function noteNumber(call: Call, number: number): void {
  call.about({ kind: 'review', id: String(number), name: null });
}

function about(call: Call, review: StoredReview): void {
  call.about(reviewResource(review));
  call.note(reviewDetail(review));
}

/** What the audit event of a request has, and what messages are made of. */
function reviewDetail(review: StoredReview): Record<string, unknown> {
  const { number, state, image, destination, requestedById, requestedBy, push } = review;
  return {
    number,
    state,
    source: formatImage(`${image.host}/${image.repository}`, image.tag),
    digest: image.digest,
    destination: reviewDestinationName(destination),
    job_id: review.jobId,
    findings: vulnerabilitiesIn(review.vulnerabilities).length,
    counts: review.counts,
    approved: vulnerabilitiesIn(review.approved).length,
    ...reviewBeside(review),
    approvals: review.approvals.length,
    reason: review.reason,
    ticket: review.ticket,
    until: review.until.toISOString(),
    push: push?.state ?? null,
    requested_by: { id: requestedById, name: requestedBy },
  };
}
