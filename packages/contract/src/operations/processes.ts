/** Declares the running processes and their queues. */
import { z } from 'zod';
import { Time } from '../common.ts';
import type { Contract } from '../operation.ts';

export const ProcessState = z.strictObject({
  /**
   * `api`, `worker` and `notifier` by their heartbeats; `database`, `redis`, `registry` and `trivy`
   * by a check made for this request.
   */
  name: z.string(),
  instance: z.string(),
  /** `late`: its heartbeat is overdue. */
  status: z.enum(['up', 'late', 'down', 'off']),
  version: z.string().nullable(),
  started_at: Time.nullable(),
  seen_at: Time.nullable(),
  /**
   * Reported by the process: for a worker stages and running jobs, for a notifier deliveries and
   * lag.
   */
  detail: z.record(z.string(), z.unknown()),
});
export type ProcessState = z.infer<typeof ProcessState>;

export const QueueState = z.strictObject({
  queue: z.string(),
  depth: z.number().int(),
  /** Those of `waiting` that are delayed: retries. */
  delayed: z.number().int(),
  running: z.number().int(),
  /** During about the last day. */
  failed: z.number().int(),
  oldest_age_s: z.number().nullable(),
});
export type QueueState = z.infer<typeof QueueState>;

export const processes = {
  listProcesses: {
    method: 'get',
    path: '/system/processes',
    summary: 'The processes of the installation, and the services they depend on',
    access: 'admin',
    success: { status: 200, body: z.array(ProcessState) },
  },
  listQueues: {
    method: 'get',
    path: '/system/queues',
    summary: 'Waiting and running jobs by queue',
    access: 'admin',
    success: { status: 200, body: z.array(QueueState) },
  },
} as const satisfies Contract;
