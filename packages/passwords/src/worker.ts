/**
 * Worker thread for bcrypt: cost 12 takes a few hundred milliseconds of CPU, which would block
 * requests.
 */
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import type { PasswordTask } from './passwords.ts';
import { isPrehashed, PREHASHED, prehash } from './scheme.ts';

parentPort?.on('message', ({ id, password, hash, cost }: PasswordTask) => {
  parentPort?.postMessage({
    id,
    result: hash === null ? make(password, cost) : matches(password, hash),
  });
});

function make(password: string, cost: number): string {
  return PREHASHED + bcrypt.hashSync(prehash(password), cost);
}

function matches(password: string, hash: string): boolean {
  return isPrehashed(hash)
    ? bcrypt.compareSync(prehash(password), hash.slice(PREHASHED.length))
    : bcrypt.compareSync(password, hash);
}
