/**
 * Names of the queues. Work that any worker can do has one queue in the installation; work that
 * needs a storage (DATA_DIR) has one queue per storage.
 */
import type { MaintenanceQueue } from './port.ts';

const STAGE_QUEUES = ['pull', 'scan', 'push'] as const;
/**
 * Tasks that may take long have a separate queue, so that they don't delay sweeps, schedules and
 * removals.
 */
export const TASK_QUEUES = ['tasks', 'long-tasks'] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
export const QUEUE_KINDS = [...STAGE_QUEUES, ...TASK_QUEUES] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** Kinds with a queue per storage. A pull may run anywhere. */
export const STORED_KINDS = [
  'scan',
  'push',
  ...TASK_QUEUES,
] as const satisfies readonly QueueKind[];

export type QueueName = QueueKind | `${QueueKind}-${string}` | `maintenance-${MaintenanceQueue}`;

export function queueName(kind: QueueKind, storageId: string | null): QueueName {
  return storageId === null ? kind : `${kind}-${storageId}`;
}
