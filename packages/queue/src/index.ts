export { type AbortCause, abortCause } from './abort.ts';
export { openQueues } from './open-queues.ts';
export * from './port.ts';
