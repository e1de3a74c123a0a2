/** Detects whether processes of the installation run, here or on other machines. */
import { conflict } from '@portcullis/errors';
import { type Heartbeat, listHeartbeats } from '@portcullis/runtime';
import { type Surrounded, withRedisServer } from './connections.ts';

/** @throws unavailable where Redis, which has the list, cannot be reached */
export async function runningProcesses(call: Surrounded): Promise<Heartbeat[]> {
  // We hold the lock of the stopped supervisor, and its Redis has no other users.
  if (call.surroundings.supervised === false && call.config.redisUrl === undefined) return [];
  return withRedisServer(call, listHeartbeats);
}

/** @throws conflict `PROCESSES_RUNNING` */
export async function assertStopped(call: Surrounded): Promise<void> {
  const running = await runningProcesses(call);
  if (running.length === 0 && call.surroundings.supervised !== true) return;
  const names = running.map(({ name, instance }) => `${name} ${instance}`).join(', ');
  const text = `Portcullis is running (${names || 'npm start'}); stop it, then run this again`;
  throw conflict('PROCESSES_RUNNING', text);
}
