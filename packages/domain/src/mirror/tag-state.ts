/** How a tag of a mirror stands to its upstream, for lists. */

/**
 * The most urgent first. `refused`: it is not here, because the gate blocks it. `behind`: the last
 * good one is served, because the newer one is blocked or failed. `withdrawn`, `unanswered`: what
 * the upstream last said of what is here. `coming`: a job brings it in.
 */
export const MIRROR_TAG_STATES = [
  'refused',
  'behind',
  'failed',
  'withdrawn',
  'unanswered',
  'coming',
  'current',
] as const;
export type MirrorTagState = (typeof MIRROR_TAG_STATES)[number];

export const MIRROR_TAG_ORDERS = [
  'urgency',
  'name',
  '-name',
  'passed_at',
  '-passed_at',
  'used_at',
  '-used_at',
] as const;
export type MirrorTagOrder = (typeof MIRROR_TAG_ORDERS)[number];
