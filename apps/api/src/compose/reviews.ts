/** Routes of review requests, and the pushes that follow their approval. */
import { createReviewPushes, type ReviewPushes } from '../features/reviews/pushes.ts';
import { reviewRoutes } from '../features/reviews/routes.ts';
import { createReviewsService } from '../features/reviews/service.ts';
import type { StagingService } from '../features/staging/service.ts';
import type { Route } from '../http/implement.ts';
import { principalOf } from '../identity/principals.ts';
import type { Connections, Shared } from './shared.ts';

export interface ReviewParts {
  routes: Route[];
  pushes: ReviewPushes;
}

export function openReviews(
  { config, feeds, audit, log }: Connections,
  shared: Shared,
  staging: StagingService,
): ReviewParts {
  const { store, access, ownHosts, publicHost, rights, gates, identity, gateChanged } = shared;
  const now = () => new Date();
  const pushes = createReviewPushes({
    reviews: store.reviews,
    requestPush: staging.requestPush,
    async account(id) {
      const found = await identity.principals.account(id);
      return found && principalOf(found, { auth: 'system' });
    },
    audit: { scope: store.outbox.scope, end: audit.end },
    log,
    now,
  });
  const service = createReviewsService({
    store,
    asking: {
      resolution: { locate: access.locate, ownHosts, publicHost, folders: store.folders },
      rights,
      pushGate: gates.pushGate,
      visibleJob: staging.visibleJob,
      stored: store,
      now,
    },
    pushes,
    aim: staging.aim,
    approvalsNeeded: config.WAIVER_APPROVALS,
    expiryDays: config.REVIEW_EXPIRY_DAYS,
    changed: gateChanged,
    now,
  });
  const detail = { store, pushGate: gates.pushGate };
  const routes = reviewRoutes({ service, detail, feeds: feeds.current, now });
  return { routes, pushes };
}
