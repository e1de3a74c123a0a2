/** A mover thread that ends with an error while it moves its blob. */
import { statSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import './mover-thread.ts';
import type { ToThread } from './messages.ts';

const EVERY_MS = 5;

parentPort?.on('message', (message: ToThread) => {
  if (message.kind !== 'move') return;
  const { file } = message.task;
  setInterval(() => {
    if (sizeOf(file) > 0) throw new Error('out of luck');
  }, EVERY_MS);
});

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
