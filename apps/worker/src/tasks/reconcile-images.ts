/**
 * Compares the index of the local registry with the registry, one page of the catalog per task.
 * Where the registry can't be reached, the walk ends without a change.
 */
import { isTransient } from '@portcullis/errors';
import type { IndexKeeper } from '@portcullis/local-registry';
import type { ListPage, ListPageOptions } from '@portcullis/oci/remote';
import type { Queues, Task } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

export interface ReconcilePorts {
  catalog(page: ListPageOptions): Promise<ListPage>;
  keeper: Pick<IndexKeeper, 'reconcile'>;
  images: Pick<Store['images'], 'seen' | 'unseenSince'>;
  enqueue: Queues['enqueue'];
  now(): number;
  signal: AbortSignal;
  log: Pick<Logger, 'info' | 'warn'>;
}

type Walk = NonNullable<Extract<Task, { name: 'reconcile-images' }>['walk']>;

const PAGE = 100;
const AT_ONCE = 4;

export async function reconcileImages(
  walk: Walk | undefined,
  ports: ReconcilePorts,
): Promise<void> {
  const { cursor, page = 0, startedAt = ports.now() } = walk ?? {};
  const { items, next } = await ports.catalog({ limit: PAGE, cursor, signal: ports.signal });
  await reconcileAll(items, ports);
  await ports.images.seen(items, seenAt(startedAt, ports));
  if (next !== undefined && next !== cursor) {
    const rest = { cursor: next, page: page + 1, startedAt };
    return ports.enqueue({ name: 'reconcile-images', walk: rest });
  }
  await reconcileUnlisted(startedAt, ports);
  ports.log.info({ pages: page + 1, ms: ports.now() - startedAt }, 'the image index is reconciled');
}

/** The clock of this worker may be behind that of the one which began the walk. */
function seenAt(startedAt: number, { now }: Pick<ReconcilePorts, 'now'>): Date {
  return new Date(Math.max(now(), startedAt));
}

/** Repositories that the catalog omits are read by name; only a 404 removes them from the index. */
async function reconcileUnlisted(startedAt: number, ports: ReconcilePorts): Promise<void> {
  for (;;) {
    const names = await ports.images.unseenSince(new Date(startedAt), PAGE);
    if (names.length === 0) return;
    await reconcileAll(names, ports);
    await ports.images.seen(names, seenAt(startedAt, ports));
  }
}

async function reconcileAll(names: string[], ports: ReconcilePorts): Promise<void> {
  const waiting = [...names];
  async function work(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      ports.signal.throwIfAborted();
      await reconcileOne(name, ports);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** A repository with invalid content must not end the walk for all others. */
async function reconcileOne(name: string, { keeper, signal, log }: ReconcilePorts): Promise<void> {
  try {
    await keeper.reconcile(name, signal);
  } catch (error) {
    if (signal.aborted || isTransient(error)) throw error;
    log.warn({ err: error, repository: name }, 'a repository could not be reconciled');
  }
}
