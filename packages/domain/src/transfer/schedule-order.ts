/**
 * The orders of a list of schedules; a minus sign is descending. Those without a next or a last run
 * are at the end of both directions; equal ones are newest first.
 */
export const SCHEDULE_ORDERS = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'next_run',
  '-next_run',
  'last_run',
  '-last_run',
] as const;
export type ScheduleOrder = (typeof SCHEDULE_ORDERS)[number];
