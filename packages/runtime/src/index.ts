export declare function createLogger(options: LoggerOptions): Logger;
export declare function openRedis(url: string, options: RedisMode): Redis;
export declare function parseEnv<S extends z.ZodType>(schema: S, env: Record<string, string | undefined>): z.output<S>;
export declare function createLifecycle(options: LifecycleOptions): Lifecycle;
export declare function heartbeat(redis: Redis, options: HeartbeatOptions): Part;
export declare function listHeartbeats(redis: Redis): Promise<Heartbeat[]>;
export declare function sealer(key: Buffer): Sealer;
export declare function loadSecretKey(options: { secretKey?: string | undefined; dataDir: string }): Promise<Buffer>;

import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { z } from 'zod';
export type { Redis } from 'ioredis';
export type { Logger } from 'pino';

export interface LoggerOptions {
  name: string;
  level?: string | undefined;
}
export interface RedisMode {
  /** `fail-fast`: a command on a lost connection fails at once (an API answers 503). `patient`: it waits (workers). */
  mode: 'fail-fast' | 'patient';
  log?: Pick<Logger, 'warn' | 'info'> | undefined;
}
/** Something with a start and an end. */
export interface Part {
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}
export interface LifecycleOptions {
  log: Pick<Logger, 'info' | 'error' | 'warn'>;
  /** How long all stops together may take. */
  graceMs: number;
}
export interface Lifecycle {
  /** Started in this order, stopped in the reverse one. */
  add(name: string, part: Part): void;
  /** Starts all parts (stopping what had started when one fails) and listens for SIGTERM and SIGINT. */
  start(): Promise<void>;
  /** Idempotent. */
  stop(reason: string): Promise<void>;
  /** True between the end of start and the beginning of stop. */
  ready(): boolean;
}
export interface HeartbeatOptions {
  /** `api`, `worker`, `notifier`. */
  name: string;
  instance: string;
  version: string;
  /** Asked at each beat. */
  detail?: () => Record<string, unknown>;
}
export interface Heartbeat {
  name: string;
  instance: string;
  version: string;
  startedAt: string;
  seenAt: string;
  detail: Record<string, unknown>;
}
export interface Sealer {
  seal(text: string): string;
  /** @throws unavailable `SECRET_UNREADABLE` sealed with another key, or damaged */
  open(sealed: string): string;
}
