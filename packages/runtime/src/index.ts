export * from './env.ts';
export * from './heartbeat.ts';
export * from './lifecycle.ts';
export * from './logger.ts';
export * from './redis.ts';
export * from './sealer.ts';
export * from './secret-key.ts';
