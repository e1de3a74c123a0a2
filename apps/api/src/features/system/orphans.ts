/**
 * Staging directories without a job, left by a crash or a job deleted while no worker ran. Each
 * worker lists those of its storage and removes them after checking the row again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queues } from '@portcullis/queue';
import type { FoundOrphans, Orphan, Store } from '@portcullis/store';
import type { StorageReader } from './storages.ts';

export interface OrphansServicePorts {
  storages: StorageReader;
  found: Store['storages']['orphans'];
  enqueue: Queues['enqueue'];
  /** How long a worker may take to answer. */
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 15_000;
const LOOK_MS = 100;

export function createOrphans({
  storages,
  found,
  enqueue,
  timeoutMs = TIMEOUT_MS,
}: OrphansServicePorts) {
  /** By storage, from the workers that answered in time. */
  async function look(): Promise<{ answers: Map<string, FoundOrphans>; everyone: boolean }> {
    const alive = (await storages.list()).filter(({ isAlive }) => isAlive);
    const { now: searchedAt } = await found();
    for (const { id } of alive) await enqueue({ name: 'find-orphans' }, { storageId: id });
    for (const end = Date.now() + timeoutMs; ; await sleep(LOOK_MS)) {
      const answers = (await found(searchedAt)).found;
      const everyone = alive.every(({ id }) => answers.has(id));
      if (everyone || Date.now() >= end) return { answers, everyone };
    }
  }

  async function list(): Promise<FoundOrphans> {
    const { answers, everyone } = await look();
    const lists = [...answers.values()];
    return {
      items: merge(lists.flatMap(({ items }) => items)),
      complete: everyone && lists.every(({ complete }) => complete),
    };
  }

  async function remove(): Promise<Orphan[]> {
    const removable: Orphan[] = [];
    for (const [storageId, { items }] of (await look()).answers)
      for (const orphan of items.filter((each) => each.removable)) {
        await enqueue({ name: 'discard', jobId: orphan.jobId }, { storageId });
        removable.push(orphan);
      }
    return merge(removable);
  }

  return { list, remove };
}
export type OrphansService = ReturnType<typeof createOrphans>;

/** Oldest first; a job may have directories in several storages. */
function merge(orphans: readonly Orphan[]): Orphan[] {
  const byJob = Map.groupBy(orphans, ({ jobId }) => jobId);
  return [...byJob]
    .map(([jobId, all]) => ({
      jobId,
      size: all.reduce((sum, { size }) => sum + size, 0),
      files: all.reduce((sum, { files }) => sum + files, 0),
      modifiedAt: new Date(Math.max(...all.map(({ modifiedAt }) => modifiedAt.getTime()))),
      removable: all.some(({ removable }) => removable),
    }))
    .sort((one, other) => one.modifiedAt.getTime() - other.modifiedAt.getTime());
}
