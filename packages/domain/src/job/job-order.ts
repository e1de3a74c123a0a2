/** The orders of a list of jobs; a minus sign means descending. Equal ones are newest first. */
export const JOB_ORDERS = [
  '-created_at',
  'created_at',
  'image',
  '-image',
  'status',
  '-status',
  'owner',
  '-owner',
] as const;
export type JobOrder = (typeof JOB_ORDERS)[number];
