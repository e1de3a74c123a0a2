/** Where the demonstration keeps its data, and how that is removed. */
import { readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endLeftovers, SERVICE_NAMES, standalonePaths } from '@portcullis/embedded';
import { type Lock, pidOf, tryLock } from '@portcullis/runtime';
import { Refusal } from './refusal.ts';

export interface DemoDirs {
  root: string;
  /** `DATA_DIR` of the product. */
  dataDir: string;
  /** The files of the source registry. */
  source: string;
  /** Records of the processes that the demonstration itself starts. */
  running: string;
  /** What the story has made; see state.ts. */
  state: string;
  /** What the product printed. */
  log: string;
  /** Beside the folder, which the holder removes. */
  lock: string;
}

export function dirsIn(cache: string): DemoDirs {
  const root = join(cache, 'demo');
  return {
    root,
    dataDir: join(root, 'data'),
    source: join(root, 'source'),
    running: join(root, 'run'),
    state: join(root, 'demo.json'),
    log: join(root, 'portcullis.log'),
    lock: join(cache, 'demo.lock'),
  };
}

/** @throws Refusal where another process has it */
export async function claimDirs({ lock }: DemoDirs): Promise<Lock> {
  const attempt = await tryLock(lock, 'process');
  if ('lock' in attempt) return attempt.lock;
  throw new Refusal(
    `the demonstration is running already (process ${pidOf(attempt.holder)}); stop that one with Ctrl-C first`,
  );
}

/** Ends what a killed run left, and deletes everything. The caller has the lock. */
export async function removeDirs({ root, dataDir, running }: DemoDirs): Promise<void> {
  await endLeftovers(running, []);
  const paths = standalonePaths(dataDir);
  await endLeftovers(paths.running, SERVICE_NAMES);
  // Both are elsewhere where DATA_DIR is too long or closed for PostgreSQL's account.
  for (const link of [paths.postgres, paths.sockets]) {
    const target = await readlink(link).catch(() => null);
    if (target !== null) await rm(target, { recursive: true, force: true });
  }
  await rm(root, { recursive: true, force: true });
}
