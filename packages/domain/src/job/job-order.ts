import type { Verdict } from '../policy/vulnerability.ts';

/** The orders of a list of jobs; a minus sign means descending. Equal ones are newest first. */
export const JOB_ORDERS = [
  '-created_at',
  'created_at',
  'image',
  '-image',
  'status',
  '-status',
  'verdict',
  '-verdict',
  'owner',
  '-owner',
] as const;
export type JobOrder = (typeof JOB_ORDERS)[number];

/** All verdicts in the order by them, the most urgent first: each is read apart. */
export const VERDICTS_BY_URGENCY = [
  'blocked',
  'findings',
  'unscannable',
  'error',
  'skipped',
  'pending',
  'clean',
] as const satisfies readonly Verdict[];
