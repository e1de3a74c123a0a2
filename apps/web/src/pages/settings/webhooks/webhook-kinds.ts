/** The kinds of events in the order and the groups in which the form offers them. */
import type { Webhook } from '@portcullis/contract';

export type Kind = Webhook['kinds'][number];

export const KIND_GROUPS = {
  images: [
    'image.blocked',
    'image.cleared',
    'image.pushed',
    'vulnerability.appeared',
    'mirror.last_good',
  ],
  jobs: [
    'job.pulled',
    'job.scanned',
    'job.blocked',
    'job.pushed',
    'job.failed',
    'transfer.finished',
  ],
  reviews: [
    'review.requested',
    'review.commented',
    'review.decided',
    'review.withdrawn',
    'review.expired',
    'review.push_refused',
  ],
  waivers: [
    'waiver.requested',
    'waiver.approved',
    'waiver.rejected',
    'waiver.revoked',
    'waiver.ending',
    'waiver.expired',
  ],
} as const satisfies Record<string, readonly Kind[]>;

export const GROUPS = [
  'images',
  'jobs',
  'reviews',
  'waivers',
] as const satisfies (keyof typeof KIND_GROUPS)[];

/** In the order of the form. */
export function sortedKinds(kinds: readonly Kind[]): Kind[] {
  return GROUPS.flatMap((group): readonly Kind[] => KIND_GROUPS[group]).filter((kind) =>
    kinds.includes(kind),
  );
}
