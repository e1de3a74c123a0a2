/** Provides the ports of `runStage` from the parts of the worker. */
import { withoutStatements } from '@portcullis/attest';
import { nextStage, type Outcome, type Stage, type StagingJob, targetAt } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { type LivePlacement, livePlacement, openBlobPlacement } from '@portcullis/local-registry';
import { type Descriptor, isDigest } from '@portcullis/oci';
import type { SpaceClaims } from '@portcullis/oci/layout';
import { createRegistryAccess } from '@portcullis/registry-access';
import { diskSpace, singleFlight } from '@portcullis/runtime';
import { JOB_RENEWAL_MS, type Store } from '@portcullis/store';
import type { WorkerConfig } from '../config.ts';
import { createBlobLocations } from '../lazy/blob-locations.ts';
import { createManifestHandover } from '../lazy/manifest-handover.ts';
import { skippableLayers } from '../lazy/skippable-layers.ts';
import { stagedImages } from '../lazy/staged-image.ts';
import { localRegistry } from '../local-registry.ts';
import { type PullPorts, pull } from '../stages/pull/pull.ts';
import { readStaged } from '../stages/pull/staged-signatures.ts';
import { push } from '../stages/push/push.ts';
import { createSharedUploads } from '../stages/push/shared-uploads.ts';
import { createJobRegistries } from '../stages/registries.ts';
import { scan } from '../stages/scan/scan.ts';
import { assertWritable } from '../storage/disk-probe.ts';
import { workSpace } from '../storage/space.ts';
import { removeImage } from '../storage/staged-files.ts';
import { discard } from '../tasks/discard.ts';
import type { ExpandPorts } from '../tasks/expand-transfer.ts';
import { askedAuthorities } from '../tasks/signatures/read-signatures.ts';
import { createAnnouncer } from './announce.ts';
import type { StageAttempt } from './attempt.ts';
import type { Backoff } from './failure.ts';
import { jobStandings } from './job-standing.ts';
import type { RunStagePorts } from './run-stage.ts';
import type { WorkerParts } from './worker-parts.ts';

type Admit = (blobs: readonly Descriptor[]) => Promise<void>;
type PerformStage = RunStagePorts['stages'][Stage];

export function stagePorts(parts: WorkerParts): RunStagePorts {
  const { config, log, redis, audit, store, queues, disk, storage, space, pulls, probe } = parts;
  const { policy, scannerService } = parts;
  const { source, destination, assertLeaves } = registriesOf(parts);
  const copying = {
    concurrency: config.BLOB_CONCURRENCY,
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
  };
  const signing = {
    facts: store.signatureFacts,
    asked: askedAuthorities({ authorities: store.authorities, log }),
    tries: config.STAGE_TRIES,
    now: () => new Date(),
    log,
  };
  const { give, take } = createManifestHandover();
  const wasScanned = async (digest: string) => (await store.reports.counts([digest])).size > 0;
  const { image, complete, place } = stagedImages({
    disk,
    source,
    handOver: { take },
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
  });
  const skipped = skippableLayers({ ...scannerService, ...copying, isCached: disk.cache.has });
  /** Runs a pull that may admit blobs. One without room keeps nothing that others could use. */
  const inRoom = async (attempt: StageAttempt, run: (admit: Admit) => Promise<Outcome>) => {
    const { id: jobId, createdAt } = attempt.job();
    const entry = pulls.enter({ jobId, createdAt: createdAt.getTime() });
    try {
      return await run(async (blobs) => {
        await assertWritable(probe);
        const cached = await Promise.all(blobs.map((blob) => disk.cache.has(blob)));
        const missing = blobs.filter((_, at) => !cached[at]);
        if (missing.length > 0 || blobs.length === 0) await entry.admit(missing);
      });
    } catch (error) {
      if (isAppError(error) && error.code === 'DISK_RESERVE')
        await removeImage(disk.layoutDir(jobId));
      throw error;
    } finally {
      entry.leave();
    }
  };
  /** A fault of this worker's disk says nothing about the image: the stage is put off. */
  const blaming = (stage: PerformStage): PerformStage => {
    return (attempt) =>
      probe.blaming(
        () => stage(attempt),
        ({ kind }) => kind === 'failed',
      );
  };
  const pushes = config.WORKER_STAGES.includes('push');
  const scans = config.WORKER_STAGES.includes('scan');
  const expectScan: PullPorts['expectScan'] = ({ digest }) => {
    if (scans) scannerService.expect(digest);
  };
  const handOver = pushes ? give : null;
  return {
    workerId: config.workerId,
    storageId: storage.id,
    jobs: store.jobs,
    log,
    now: () => new Date(),
    leaseRenewalMs: JOB_RENEWAL_MS,
    stages: {
      pull: blaming((attempt) =>
        inRoom(attempt, (admit) =>
          pull(attempt, {
            ...copying,
            ...disk,
            ...scannerService,
            source,
            assertLeaves,
            expectScan,
            policy,
            wasScanned,
            sighted: sightedBy(store),
            readSignatures: (job, staged) => readStaged(job, staged, signing),
            complete,
            handOver,
            skippableLayers: skipped,
            admit,
          }),
        ),
      ),
      scan: blaming(async (attempt) => {
        await assertWritable(probe);
        await space.assert();
        const outcome = await scan(attempt, { ...scannerService, policy, place });
        const files = outcome.kind === 'scanned' && parts.reports.keep(attempt.job().id);
        await Promise.all([keepReport(parts, attempt.job(), outcome), files]);
        return outcome;
      }),
      push: blaming((attempt) =>
        push(attempt, {
          ...copying,
          destination,
          image,
          policy,
          database: scannerService.database,
          now: () => new Date(),
          refusedSparse: ({ id: jobId }, err) => log.warn({ err, job: jobId }, REFUSED_SPARSE),
        }),
      ),
    },
    ...createAnnouncer(redis, audit, log),
    standing: jobStandings(parts),
    dispatch: queues.dispatch,
    nextStageHere: (stage, next) =>
      pushes && stage === 'pull' && nextStage(next) === 'push' ? 'push' : null,
    discard: (id) =>
      discard(id, { stagingDir: disk.stagingDir, storageId: storage.id, find: store.jobs.find }),
    backoff: backoffOf(config),
  };
}

const REFUSED_SPARSE =
  'the registry takes no index without all of its platforms, so that the index of a mirror was reduced to those of the mirror and has another digest; distribution 3 takes it with validation.manifests.indexes.platforms: none';

export function backoffOf(config: WorkerConfig): Backoff {
  return {
    maxAttempts: config.STAGE_TRIES,
    firstSeconds: config.STAGE_BACKOFF_SECONDS,
    longestSeconds: config.STAGE_BACKOFF_MAX_SECONDS,
    random: Math.random,
  };
}

/** Records the report for searches and for scans of the same digest. A failure is only logged. */
async function keepReport(
  { store, log }: WorkerParts,
  { id, digest, keepIndex }: StagingJob,
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind !== 'scanned' || digest === null) return;
  const { report, parts, known } = outcome;
  await store.reports
    .record({ digest, report, scannedAt: known?.scannedAt ?? new Date() }, parts, {
      covers: keepIndex ? 'excerpt' : 'whole',
    })
    .catch((err: unknown) => log.warn({ err, job: id }, 'a report was not kept for searches'));
}

function sightedBy(store: Pick<Store, 'sightings'>): PullPorts['sighted'] {
  return (job, digest) => seenAtSource(store, job, { digest, copyOf: job.sourceDigest ?? digest });
}

/** @returns when the image was first seen, under any name */
export function seenAtSource(
  { sightings }: Pick<Store, 'sightings'>,
  { source, image, tag }: Pick<StagingJob, 'source' | 'image' | 'tag'>,
  { digest, copyOf }: { digest: string; copyOf: string },
): Promise<Date> {
  const seen = { repository: `${source.host}/${image}`, tag: isDigest(tag) ? '' : tag, digest };
  return sightings.pulled(seen, copyOf);
}

/** The age that the destination of a transfer asks for. */
export function agesOf(
  parts: Pick<WorkerParts, 'rights' | 'folders' | 'pushGate'>,
): ExpandPorts['waits'] {
  return async ({ destination, bypass }, { ownerId, repository }) => {
    const target = targetAt({ ...destination, repository }, await parts.folders());
    const account = await parts.rights.principal(ownerId);
    return (await parts.pushGate.open({ target, account, bypass, digests: [] })).waits;
  };
}

/** Every change has to act within a second. */
const REGISTRY_REUSE_MS = 400;

export function registriesOf(parts: WorkerParts) {
  const { config, redis, store, egress, rights, log, disk } = parts;
  const { gate, pushGate, ageFixes, copyGate, immutableTags, folderQuotas } = parts;
  const { users, registries, jobs, referrers } = store;
  const reading = {
    referrers,
    users: { find: singleFlight(users.find) },
    registries: {
      find: singleFlight(registries.find, { reuseMs: REGISTRY_REUSE_MS }),
      credentials: singleFlight(registries.credentials, { reuseMs: REGISTRY_REUSE_MS }),
    },
  };
  return createJobRegistries({
    jobs,
    mirrors: store.mirrors,
    access: createRegistryAccess({
      store: reading,
      egress,
      registryUrl: config.REGISTRY_URL,
      ownHosts: null,
      dockerHubHost: config.DOCKERHUB_HOST,
    }),
    rights,
    blobLocations: createBlobLocations(redis),
    sharedUploads: createSharedUploads(),
    local: localRegistry(parts),
    copyGate,
    pushGate,
    ageFixes,
    immutableTags,
    folderQuotas,
    async recordPass(image, account) {
      await gate
        .decide({ image, account, mode: 'enforce' })
        .catch((err: unknown) => log.warn({ err, ...image }, 'a pass was not recorded'));
    },
    localSpace: spaceOfRegistry(parts),
    withoutStatements: (image) => withoutStatements(image, store.signingKeys.everyPublicKey),
    placement: placementOf(parts),
    layout: disk.layout,
  });
}

/** Links blobs into the registry's storage where it is a directory of this worker's user. */
function placementOf({ config, log }: Pick<WorkerParts, 'config' | 'log'>) {
  const { REGISTRY_STORAGE: dir } = config;
  let opened: LivePlacement | null = null;
  const failed = () =>
    log.warn(
      'REGISTRY_STORAGE is not the storage of the registry at REGISTRY_URL; from now on every blob is uploaded',
    );
  return async () => {
    if (opened !== null || dir === undefined) return opened;
    const placement = await openBlobPlacement(dir);
    opened ??= placement && livePlacement(placement, failed);
    return opened;
  };
}

/** Space on the disk of the built-in registry; null where this worker doesn't have that disk. */
function spaceOfRegistry({ config }: Pick<WorkerParts, 'config'>): SpaceClaims | null {
  const { REGISTRY_STORAGE: dir, DISK_RESERVE: reserve } = config;
  return dir === undefined ? null : workSpace(diskSpace(dir, reserve));
}
