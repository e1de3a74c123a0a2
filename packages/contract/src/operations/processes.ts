import { z } from 'zod';
import { Time } from '../common.ts';
import type { Contract } from '../operation.ts';

export const ProcessState = z.strictObject({
  /**
   * `api`, `worker`, `notifier` by their heartbeats; `database`, `redis`, `registry`, `trivy` as
   * asked just now.
   */
  name: z.string(),
  instance: z.string(),
  /** `late`: its heartbeat is overdue. */
  status: z.enum(['up', 'late', 'down', 'off']),
  version: z.string().nullable(),
  started_at: Time.nullable(),
  seen_at: Time.nullable(),
  /** What it says of itself: stages and what runs of a worker, deliveries and lag of a notifier. */
  detail: z.record(z.string(), z.unknown()),
});
export type ProcessState = z.infer<typeof ProcessState>;

export const QueueState = z.strictObject({
  queue: z.string(),
  depth: z.number().int(),
  /** Of these, those that wait for a moment to come: retries. */
  delayed: z.number().int(),
  running: z.number().int(),
  /** In the last day or so. */
  failed: z.number().int(),
  oldest_age_s: z.number().nullable(),
});
export type QueueState = z.infer<typeof QueueState>;

export const processes = {
  listProcesses: {
    method: 'get',
    path: '/system/processes',
    summary: 'Every process of the installation, and what they depend on',
    access: 'admin',
    success: { status: 200, body: z.array(ProcessState) },
  },
  listQueues: {
    method: 'get',
    path: '/system/queues',
    summary: 'What waits and runs, by queue',
    access: 'admin',
    success: { status: 200, body: z.array(QueueState) },
  },
} as const satisfies Contract;
