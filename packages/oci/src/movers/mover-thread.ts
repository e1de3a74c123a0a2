/**
 * Entry of a mover thread. It has no credentials, and connects only to what the main thread allows.
 */
import { parentPort } from 'node:worker_threads';
import { ConnectionPool } from '../remote/http/connection-pool.ts';
import type { BlobTask, ToThread } from './messages.ts';
import { createThreadCalls, type ThreadCalls } from './thread-calls.ts';
import { runTask } from './thread-task.ts';
import { toWire } from './wire-error.ts';

const MAX_TRANSPORTS = 16;

const running = new Map<number, AbortController>();
const pools = new Map<number, ConnectionPool>();

if (parentPort) {
  const calls = createThreadCalls(parentPort);
  parentPort.on('message', (message: ToThread) => {
    if (message.kind === 'move') void run(message.task, calls);
    else if (message.kind === 'abort') running.get(message.id)?.abort();
    else if (message.kind === 'answer') calls.answered(message.call, message.value);
    else calls.refused(message.call, message.error);
  });
}

async function run(task: BlobTask, calls: ThreadCalls): Promise<void> {
  const controller = new AbortController();
  running.set(task.id, controller);
  const { signal } = controller;
  const error = await runTask(task, calls, { connections: poolOf(task), signal }).then(
    () => undefined,
    toWire,
  );
  running.delete(task.id);
  calls.tell({ kind: 'done', id: task.id, error });
}

function poolOf({ transport }: BlobTask): ConnectionPool {
  const known = pools.get(transport);
  if (known) return known;
  if (pools.size >= MAX_TRANSPORTS) pools.clear();
  const pool = new ConnectionPool();
  pools.set(transport, pool);
  return pool;
}
