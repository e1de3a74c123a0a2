/** The statuses of a staging job, and the stages that workers run. */
export const JOB_STATUSES = [
  'pull_queued',
  'pulling',
  'scan_queued',
  'scanning',
  'staged',
  'push_queued',
  'pushing',
  'pushed',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const STAGES = ['pull', 'scan', 'push'] as const;
export type Stage = (typeof STAGES)[number];
