/** The maintenance tasks, each once in the whole installation at a time. */
import { auditGroups } from '@portcullis/domain';
import { trim } from '@portcullis/events';
import { readCatalog } from '@portcullis/oci/remote';
import type { Consumer, TaskHandlers } from '@portcullis/queue';
import type { Part } from '@portcullis/runtime';
import { localRegistry } from './local-registry.ts';
import type { StageParts } from './stage-ports.ts';
import { discard } from './tasks/discard.ts';
import { pruneCache } from './tasks/prune-cache.ts';
import { reconcileImages } from './tasks/reconcile-images.ts';
import { sweep } from './tasks/sweep.ts';

/** A queued row that nobody looked at for so long may have lost its entry. */
const STALE_MS = 60_000;
/** Long enough for a pull that broke off to find its blobs again. */
const UNUSED_MS = 24 * 3_600_000;

function taskHandlers(parts: StageParts): TaskHandlers {
  const { config, log, redis, store, queues, disk, network, scanDesk } = parts;
  const { keeper, options } = localRegistry(parts);
  const discarding = { stagingDir: disk.stagingDir, find: store.jobs.find };
  return {
    discard: ({ jobId }) => discard(jobId, discarding),
    sweep: () => sweep({ stale: store.jobs.stale, dispatch: queues.dispatch, log, olderThanMs: STALE_MS }),
    'prune-cache': (_, signal) =>
      pruneCache({ ...discarding, cache: disk.cache, olderThanMs: UNUSED_MS, signal, log }),
    'trim-events': async () => {
      const groups = auditGroups(network.current());
      const { lost } = await trim(redis, { maxEvents: config.AUDIT_MAX_EVENTS, groups });
      if (lost > 0) log.error({ lost, groups }, 'audit events were dropped that not every group has taken');
    },
    'reconcile-images': ({ walk }, signal) =>
      reconcileImages(walk, {
        catalog: (page) => readCatalog(options, page),
        keeper,
        images: store.images,
        enqueue: queues.enqueue,
        now: Date.now,
        signal,
        log,
      }),
    'update-scanner-db': (_, signal) => scanDesk.update(signal),
  };
}

/** Takes tasks, and sees to it that they come. */
export function maintenance(parts: StageParts): Part {
  const { config, queues } = parts;
  let consumer: Consumer | null = null;
  return {
    async start() {
      await queues.every({ name: 'sweep' }, config.SWEEP_SECONDS * 1000);
      await queues.every({ name: 'prune-cache' }, 3_600_000);
      await queues.every({ name: 'trim-events' }, 60_000);
      await queues.every({ name: 'reconcile-images' }, config.RECONCILE_SECONDS * 1000);
      // Cheap while none is due: the database itself says when its successor comes.
      await queues.every({ name: 'update-scanner-db' }, config.TRIVY_DB_UPDATE_HOURS * 3_600_000);
      consumer = queues.consumeTasks(taskHandlers(parts));
    },
    stop: () => consumer?.stop(),
  };
}
