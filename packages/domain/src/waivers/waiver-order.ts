/** The orders of a list of waivers; a minus sign means descending. Equal ones are newest first. */
export const WAIVER_ORDERS = [
  '-created_at',
  'created_at',
  'vulnerability',
  '-vulnerability',
  'state',
  '-state',
  'expires_at',
  '-expires_at',
] as const;
export type WaiverOrder = (typeof WAIVER_ORDERS)[number];
