export * from './data-dir.ts';
export * from './disk-space.ts';
export * from './env.ts';
export * from './heartbeat.ts';
export * from './lifecycle.ts';
export * from './logger.ts';
export * from './loop-watch.ts';
export * from './metrics.ts';
export * from './metrics-server.ts';
export * from './process/file-lock.ts';
export * from './process/identity.ts';
export * from './process/scratch-owner.ts';
export { IS_CLUSTER } from './redis/fault.ts';
export * from './redis/redis.ts';
export {
  overNetwork,
  type RedisTarget,
  readRedisUrl,
} from './redis/url.ts';
export * from './sealer.ts';
export * from './secret-key.ts';
export * from './single-flight.ts';
export * from './socket-url.ts';
export * from './storage-id.ts';
export * from './system-error.ts';
export * from './tracing/open-tracing.ts';
export { type OutgoingTrace, traceOutgoing } from './tracing/outgoing.ts';
export { TRACING_ENV } from './tracing/settings.ts';
export type { Attributes, OpenSpan, SpanOrder } from './tracing/span.ts';
export { continuingTrace, startSpan, traced, traceparentNow } from './tracing/traced.ts';
export { remoteSpan } from './tracing/traceparent.ts';
export { along, forRequest, requestIdNow } from './tracing/trail.ts';
