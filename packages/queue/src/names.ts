/**
 * The only place where the name of a queue is made. What any worker can do has one queue in the whole installation; what
 * only workers with a certain storage (DATA_DIR) can do has one for each storage.
 */
export const STAGE_QUEUES = ['pull', 'scan', 'push'] as const;
/** Tasks that may take long have a separate queue, so that none of them delays a sweep, a schedule, or a removal. */
export const TASK_QUEUES = ['tasks', 'long-tasks'] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
export const QUEUE_KINDS = [...STAGE_QUEUES, ...TASK_QUEUES] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** Kinds of which a storage has queues. A pull may run anywhere. */
export const STORED_KINDS = [
  'scan',
  'push',
  ...TASK_QUEUES,
] as const satisfies readonly QueueKind[];

export type QueueName = QueueKind | `${QueueKind}-${string}`;

export function queueName(kind: QueueKind, storageId: string | null): QueueName {
  return storageId === null ? kind : `${kind}-${storageId}`;
}
