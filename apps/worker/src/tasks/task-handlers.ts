/** Handlers of the tasks in the queue. Each task runs once at a time in the whole installation. */
import { auditGroups } from '@portcullis/domain';
import { publishChange, trim } from '@portcullis/events';
import { createTagRemoval, isHealthy } from '@portcullis/local-registry';
import { readCatalog } from '@portcullis/oci/remote';
import type { Consumer, TaskHandlers } from '@portcullis/queue';
import type { Part } from '@portcullis/runtime';
import { localRegistry } from '../local-registry.ts';
import { createAnnouncer } from '../pipeline/announce.ts';
import { agesOf, registriesOf, seenAtSource } from '../pipeline/stage-ports.ts';
import type { WorkerParts } from '../pipeline/worker-parts.ts';
import { releaseFinished, releasePorts } from '../storage/make-room.ts';
import { discard } from './discard.ts';
import { endReviews } from './end-reviews.ts';
import { endWaivers } from './end-waivers.ts';
import { expandTransfer } from './expand-transfer.ts';
import { feedRefresher } from './feeds/feed-refresher.ts';
import { findOrphans } from './find-orphans.ts';
import { returnFromLostStorage } from './lost-storage.ts';
import { pruneCache } from './prune-cache.ts';
import { reconcileImages } from './reconcile-images.ts';
import { recurring } from './recurring.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { evictMirrors } from './retention/evict-mirrors.ts';
import { runSchedule } from './run-schedule.ts';
import { sweepFirstScans } from './scans/background-scans.ts';
import { sweep, sweepCredentials, sweepMaintenance, sweepTransfers } from './sweep.ts';

const PROBE_MS = 3_000;
/** After this time a queued row may have lost its queue entry. */
const STALE_MS = 60_000;
/** Long enough for an interrupted pull to reuse its blobs. They go earlier where room is needed. */
const UNUSED_MS = 24 * 3_600_000;
/** Covers the time between a scan and the record of its report. */
const ANALYSIS_KEPT_MS = 24 * 3_600_000;
/** Bound on the analyses of layers in the database, compressed. */
const ANALYSES_BYTES = 10 * 1024 ** 3;
/** How long reports of images are kept that no job and no tag names. */
const REPORT_KEPT_MS = 30 * 86_400_000;
/** A digest that left its folder has no grace period there when it comes back later. */
const PASS_KEPT_MS = 3_600_000;
/** A pod may run for months, and its admission is seen when it starts. */
const RUNNING_KEPT_MS = 90 * 86_400_000;
/** Storages that no worker used for so long are removed, with their queues. */
const STORAGE_KEPT_MS = 86_400_000;

function taskHandlers(parts: WorkerParts): TaskHandlers {
  const { config, log, redis, store, queues, disk, storage, network, scannerService, reports } =
    parts;
  const { keeper, options, open, registryLock } = localRegistry(parts);
  const now = () => new Date();
  const olderThanMs = STALE_MS * config.searchFactor;
  const feeds = feedRefresher(parts);
  const discarding = { stagingDir: disk.stagingDir, storageId: storage.id, find: store.jobs.find };
  const { publish, publishTransfer } = createAnnouncer(redis, parts.audit, log);
  return {
    discard: ({ jobId }) => discard(jobId, discarding),
    'convert-report': ({ jobId, format, platform = null }, signal) =>
      reports.convert(jobId, { format, platform }, signal),
    'keep-reports': ({ jobId }, signal) =>
      jobId === undefined ? reports.takeOverAll(signal) : reports.takeOver(jobId),
    async 'find-orphans'() {
      const { stagingDir } = disk;
      await store.storages.keepOrphans(
        storage.id,
        await findOrphans({ stagingDir, jobs: store.jobs, now: Date.now }),
      );
    },
    async 'expand-transfer'({ transferId }, signal) {
      await expandTransfer(
        transferId,
        {
          ...store,
          source: registriesOf(parts).source,
          sighted: (at, digest) => seenAtSource(store, at, { digest, copyOf: digest }),
          waits: agesOf(parts),
          dispatch: queues.dispatch,
          log,
          tries: config.STAGE_TRIES,
        },
        signal,
      );
      const transfer = await store.transfers.find(transferId);
      if (transfer) await publishTransfer(transfer);
    },
    'run-schedule': ({ scheduleId, manual }) =>
      runSchedule(scheduleId, manual, {
        ...store,
        rights: parts.rights,
        queues,
        audit: { ...parts.audit, scope: store.outbox.scope },
        now,
        log,
      }),
    async sweep() {
      await sweepCredentials(store);
      await returnFromLostStorage({
        jobs: store.jobs,
        isSteady: storage.isSteady,
        dispatch: queues.dispatch,
        publish: (job) => publish('pull', job, null),
        now,
        log,
      });
      await sweep({ stale: store.jobs.stale, dispatch: queues.dispatch, log, olderThanMs });
      await sweepMaintenance({ ...store, wake: queues.wake });
      if (await store.retention.waits()) await queues.enqueue({ name: 'apply-retention' });
      await sweepFirstScans(parts);
      const { stale } = store.transfers;
      await sweepTransfers({
        stale,
        due: store.schedules.due,
        enqueue: queues.enqueue,
        now,
        olderThanMs,
      });
    },
    async 'prune-cache'(_, signal) {
      const outdated = new Date(Date.now() - REPORT_KEPT_MS);
      await Promise.all([
        store.reports.removeUnused(outdated),
        store.advisories.removeUnused(outdated),
        store.signatureFacts.removeUnused(outdated),
        store.runningImages.removeUnseen(new Date(Date.now() - RUNNING_KEPT_MS)),
        store.promotions.removeUnused(outdated),
        scannerService.removeStoredScans(outdated),
        store.passRecords.removeUnused(new Date(Date.now() - PASS_KEPT_MS)),
      ]);
      await store.analyses.removeUnused(new Date(Date.now() - ANALYSIS_KEPT_MS), ANALYSES_BYTES);
      await reports.clearLeftovers();
      for (const id of await store.storages.removeUnseen(STORAGE_KEPT_MS)) await queues.forget(id);
      await releaseAfterDays(parts, publish, signal);
      await pruneCache({ ...discarding, cache: disk.cache, olderThanMs: UNUSED_MS, signal, log });
    },
    async 'end-waivers'() {
      await endReviews({ reviews: store.reviews, audit: parts.audit, now });
      await endWaivers({
        waivers: store.waivers,
        audit: parts.audit,
        changed: () => publishChange(redis, 'gate'),
        now,
      });
    },
    async 'apply-retention'(_, signal) {
      const removal = {
        ...{ retention: store.retention, immutableTags: parts.immutableTags, open, log },
        removeTag: createTagRemoval({ immutableTags: parts.immutableTags, registryLock, keeper }),
        answers: () => isHealthy(config.REGISTRY_URL, { timeoutMs: PROBE_MS }),
        folders: async () => new Set(await store.folders.names()),
        audit: { ...parts.audit, scope: store.outbox.scope },
      };
      await applyRetention(removal, signal);
      const { mirrors, imagesInUse: inUse } = store;
      await evictMirrors({ ...removal, mirrors, inUse, now }, signal);
    },
    'trim-events': async () => {
      const groups = auditGroups(network.current());
      const { lost } = await trim(redis, { maxEvents: config.AUDIT_MAX_EVENTS, groups });
      if (lost > 0)
        log.error({ lost, groups }, 'audit events were dropped that not every group has taken');
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
    'update-scanner-db': ({ force = false }, signal) => scannerService.update(signal, { force }),
    'refresh-feeds': (_, signal) => feeds(signal),
  };
}

const DAY_MS = 86_400_000;

/** Removes the images of jobs that finished long ago. */
async function releaseAfterDays(
  { config, store, disk, log }: WorkerParts,
  publish: ReturnType<typeof createAnnouncer>['publish'],
  signal: AbortSignal,
): Promise<void> {
  const { STAGING_KEEP_DAYS: days } = config;
  if (days === 0) return;
  const ports = releasePorts({ store, disk, publish });
  const before = new Date(Date.now() - days * DAY_MS);
  const images = await releaseFinished(before, ports, signal);
  if (images > 0) log.info({ images, days }, 'removed the images of finished jobs');
}

/** Per queue. */
const TASKS_AT_ONCE = 4;

/** Consumes tasks and keeps the recurring ones scheduled. */
export function taskConsumers(parts: WorkerParts): Part {
  const { config, log, queues, redis, storage, store } = parts;
  const recurs = recurring({ config, log, queues, redis, storage, schedules: store.schedules });
  let consumer: Consumer | null = null;
  return {
    async start() {
      await recurs.start?.();
      const options = { concurrency: TASKS_AT_ONCE, storageId: parts.storage.id };
      consumer = queues.consumeTasks(taskHandlers(parts), options);
      await queues.enqueue({ name: 'keep-reports' }, { storageId: parts.storage.id });
      // Another address of a feed applies at once.
      await queues.enqueue({ name: 'refresh-feeds' });
    },
    async stop() {
      await recurs.stop?.();
      await consumer?.stop();
    },
  };
}
