export { abortCause } from './abort.ts';
export { cronFault, isTimezone, nextRun, nextRuns } from './cron.ts';
export { firstScanOf } from './maintenance.ts';
export { openQueues } from './open-queues.ts';
export * from './port.ts';
