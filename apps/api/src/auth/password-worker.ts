/** bcrypt at cost 12 takes a few hundred milliseconds of CPU: here it holds up no request. */
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import type { PasswordTask } from './passwords.ts';

parentPort?.on('message', (task: PasswordTask) => {
  const result =
    task.hash === null
      ? bcrypt.hashSync(task.password, task.cost)
      : bcrypt.compareSync(task.password, task.hash);
  parentPort?.postMessage({ id: task.id, result });
});
