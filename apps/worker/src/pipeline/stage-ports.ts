/** What `runStage` needs, put together from the real parts. */
import { nextStage, type Outcome, type ScanPolicy, type StagingJob } from '@portcullis/domain';
import type { AuditLog, LiveNetwork } from '@portcullis/events';
import type { Descriptor } from '@portcullis/oci';
import type { SpaceClaims } from '@portcullis/oci/layout';
import type { Queues } from '@portcullis/queue';
import { createRegistryAccess, type Egress } from '@portcullis/registry-access';
import { diskSpace, type Logger, type Redis } from '@portcullis/runtime';
import { JOB_RENEWAL_MS, type Store } from '@portcullis/store';
import type { WorkerConfig } from '../config.ts';
import { createBlobHomes } from '../lazy/blob-homes.ts';
import { sparedLayers } from '../lazy/spared-layers.ts';
import { localRegistry } from '../local-registry.ts';
import { pull } from '../stages/pull/pull.ts';
import { push } from '../stages/push/push.ts';
import { createRegistries } from '../stages/registries.ts';
import { scan } from '../stages/scan/scan.ts';
import type { ScanDesk } from '../stages/scan/scan-desk.ts';
import { stagedImages } from '../stages/scan/staged-image.ts';
import type { Disk } from '../storage/disk.ts';
import type { JobReports } from '../storage/job-reports.ts';
import { type WorkSpace, workSpace } from '../storage/space.ts';
import type { StorageKeeper } from '../storage/storage.ts';
import { discard } from '../tasks/discard.ts';
import { createAnnouncer } from './announce.ts';
import { briefly, MOMENT_MS } from './briefly.ts';
import type { Backoff } from './failure.ts';
import { createHandOver } from './hand-over.ts';
import { createInFlight } from './in-flight.ts';
import type { RunStagePorts } from './ports.ts';
import { createRights } from './rights.ts';

export interface StageParts {
  config: WorkerConfig;
  log: Logger;
  redis: Redis;
  audit: AuditLog;
  store: Store;
  queues: Queues;
  disk: Disk;
  storage: StorageKeeper;
  space: WorkSpace;
  egress: Egress;
  network: Pick<LiveNetwork, 'current'>;
  policy(): Promise<ScanPolicy>;
  scanDesk: ScanDesk;
  reports: JobReports;
}

export function stagePorts(parts: StageParts): RunStagePorts {
  const { config, log, redis, audit, store, queues, disk, storage, space, policy, scanDesk } =
    parts;
  const { source, destination } = registriesOf(parts);
  const copying = {
    concurrency: config.BLOB_CONCURRENCY,
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
  };
  const { give, take } = createHandOver();
  const wasScanned = async (digest: string) => (await store.reports.counts([digest])).size > 0;
  const { image, complete, place } = stagedImages({ disk, source, handOver: { take } });
  const spared = sparedLayers({ ...scanDesk, ...copying, isCached: disk.cache.has });
  const admitted = async (blobs: readonly Descriptor[]) => {
    const cached = await Promise.all(blobs.map((blob) => disk.cache.has(blob)));
    const missing = blobs.filter((_, at) => !cached[at]);
    await space.assert(missing.reduce((sum, { size }) => sum + size, 0));
  };
  const pushes = config.WORKER_STAGES.includes('push');
  const handOver = pushes ? give : null;
  return {
    workerId: config.workerId,
    storageId: storage.id,
    jobs: store.jobs,
    log,
    now: () => new Date(),
    leaseRenewalMs: JOB_RENEWAL_MS,
    stages: {
      pull: (attempt) =>
        pull(attempt, {
          ...copying,
          ...disk,
          ...scanDesk,
          source,
          policy,
          wasScanned,
          complete,
          handOver,
          sparedLayers: spared,
          admit: admitted,
        }),
      scan: async (attempt) => {
        await space.assert();
        const outcome = await scan(attempt, { ...scanDesk, policy, place });
        await keepReport(parts, attempt.job(), outcome);
        if (outcome.kind === 'scanned') await parts.reports.keep(attempt.job().id);
        return outcome;
      },
      push: (attempt) =>
        push(attempt, {
          ...copying,
          destination,
          image,
          policy,
          database: scanDesk.database,
          now: () => new Date(),
        }),
    },
    ...createAnnouncer(redis, audit, log),
    dispatch: queues.dispatch,
    goesOn: (stage, next) =>
      pushes && stage === 'pull' && nextStage(next) === 'push' ? 'push' : null,
    discard: (id) =>
      discard(id, { stagingDir: disk.stagingDir, storageId: storage.id, find: store.jobs.find }),
    backoff: backoffOf(config),
  };
}

export function backoffOf(config: WorkerConfig): Backoff {
  return {
    tries: config.STAGE_TRIES,
    firstSeconds: config.STAGE_BACKOFF_SECONDS,
    longestSeconds: config.STAGE_BACKOFF_MAX_SECONDS,
    random: Math.random,
  };
}

/** For searches, and whoever asks for a scan of the same digest. A job isn't held up by it. */
async function keepReport(
  { store, log }: StageParts,
  { id, digest }: StagingJob,
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind !== 'scanned' || digest === null) return;
  await store.reports
    .record({ digest, report: outcome.report, scannedAt: outcome.known?.scannedAt ?? new Date() })
    .catch((err: unknown) => log.warn({ err, job: id }, 'a report was not kept for searches'));
}

export function registriesOf(parts: StageParts) {
  const { config, redis, store, egress, policy, scanDesk } = parts;
  const { users, folders, registries, jobs } = store;
  const reading = {
    // A right that was taken away is gone at once.
    users: { find: briefly(users.find, 0) },
    folders: { grantsFor: briefly(folders.grantsFor, 0), names: briefly(folders.names, 0) },
    registries: {
      find: briefly(registries.find, MOMENT_MS),
      credentials: briefly(registries.credentials, MOMENT_MS),
    },
  };
  return createRegistries({
    jobs,
    access: createRegistryAccess({
      store: reading,
      egress,
      registryUrl: config.REGISTRY_URL,
      ownHosts: null,
      dockerHubHost: config.DOCKERHUB_HOST,
    }),
    rights: createRights(reading, { policy, database: scanDesk.database }),
    blobHomes: createBlobHomes(redis),
    inFlight: createInFlight(),
    local: localRegistry(parts),
    localSpace: spaceOfRegistry(parts),
  });
}

/** Of the built-in registry's storage, where it is a disk of ours. */
function spaceOfRegistry({ config }: Pick<StageParts, 'config'>): SpaceClaims | null {
  const { REGISTRY_STORAGE: dir, DISK_RESERVE: reserve } = config;
  return dir === undefined ? null : workSpace(diskSpace(dir, reserve));
}
