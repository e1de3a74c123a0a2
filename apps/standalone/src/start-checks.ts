/** Preconditions of a start; each fault says what to do. */

import { isFree } from '@portcullis/embedded';
import { conflict } from '@portcullis/errors';
import { type Lock, pidOf, tryLock } from '@portcullis/runtime';
import type { Config } from './config.ts';

/** @throws conflict `DATA_DIR_IN_USE` */
export async function lockData(path: string, dataDir: string): Promise<Lock> {
  const attempt = await tryLock(path, 'process');
  if ('lock' in attempt) return attempt.lock;
  const text = `another Portcullis (process ${pidOf(attempt.holder)}) runs on ${dataDir}; stop it, or set DATA_DIR to another folder`;
  throw conflict('DATA_DIR_IN_USE', text);
}

/** @throws conflict `PORT_IN_USE` */
export async function checkPort({ host, port }: Config): Promise<void> {
  if (await isFree(port, host)) return;
  const text = `${host}:${port} is in use by another program, or not ours to take; set PORT to another number`;
  throw conflict('PORT_IN_USE', text);
}
