/** Opens the source and the destination of a copy, after checking the rights. */
import { LOCAL_REGISTRY_ID, type Principal, type Push, type StagingJob } from '@portcullis/domain';
import { isBringIn, mayBringIn } from '@portcullis/domain/mirror';
import {
  type AgeFixes,
  type CopyGate,
  type ExplainedDecision,
  type FolderQuotas,
  type ImmutableTags,
  openLocalWriter,
  type PushGate,
  type PushTarget,
} from '@portcullis/gate';
import { type LivePlacement, linkedTarget, storingTarget } from '@portcullis/local-registry';
import type { Mounter, Source, Target } from '@portcullis/oci';
import { type Layout, type SpaceClaims, withSpaceClaims } from '@portcullis/oci/layout';
import { type Repository, tlsOptions } from '@portcullis/oci/remote';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { Store } from '@portcullis/store';
import type { BlobLocations } from '../lazy/blob-locations.ts';
import type { LocalRegistry } from '../local-registry.ts';
import type { JobRights } from '../pipeline/rights.ts';
import { type Admission, admission, admittedTarget } from './push/admission.ts';
import type { PushDestination } from './push/push.ts';
import type { SharedUploads } from './push/shared-uploads.ts';

export interface RegistryPorts {
  jobs: Pick<Store['jobs'], 'sourceCredentials' | 'pushCredentials'>;
  mirrors: Pick<Store['mirrors'], 'ofJob'>;
  access: Pick<RegistryAccess, 'locate' | 'openSaved' | 'openHost' | 'openDockerHub'>;
  rights: JobRights;
  blobLocations: BlobLocations;
  sharedUploads: SharedUploads;
  local: LocalRegistry;
  copyGate: Pick<CopyGate, 'assertLeaves'>;
  ageFixes: AgeFixes;
  pushGate: PushGate;
  immutableTags: Pick<ImmutableTags, 'assertMoves' | 'writing'>;
  folderQuotas: Pick<FolderQuotas, 'entering'>;
  /** Records in the folder of the local registry whether the policy allows what was pushed. */
  recordPass(image: PushedImage, principal: Principal): Promise<void>;
  /** Null where the registry's storage is not on this machine. */
  localSpace: SpaceClaims | null;
  /** What this installation states is not copied into its registry. */
  withoutStatements(image: Source): Source;
  /** Null where blobs can't be linked into the registry's storage. */
  placement(): Promise<LivePlacement | null>;
  /** The files that the job itself has pulled. */
  layout(jobId: string): Promise<Pick<Layout, 'fileOf'>>;
}

export interface JobRegistries {
  source(job: Readable): Promise<Repository>;
  /**
   * The digest that the job is about to read: a folder of the local registry may refuse its pull.
   * @returns what the audit log keeps; null where the account needed no privilege
   * @throws forbidden
   */
  assertLeaves(job: Readable, digest: string): Promise<ExplainedDecision | null>;
  destination(job: StagingJob, push: Push): Promise<PushDestination>;
}

interface PushedImage {
  digest: string;
  repository: string;
  folder: string;
}

type OpenedTarget = Omit<PushDestination, 'judged'>;

/** Other registries have quotas that they hold themselves. */
const unlimited: PushDestination['entering'] = (_, work) => work();
/** Other sites verify what is stated here by the public key. */
const whole: PushDestination['readable'] = (image) => image;

/** What is read, and for which account. Credentials of an ad-hoc host are stored with job `id`. */
export type Readable = Pick<StagingJob, 'id' | 'ownerId' | 'image' | 'source'>;

export function createJobRegistries(ports: RegistryPorts): JobRegistries {
  const { jobs, access, rights, local, localSpace, sharedUploads } = ports;
  const { immutableTags, folderQuotas } = ports;

  async function source(job: Readable): Promise<Repository> {
    const owner = await rights.principal(job.ownerId);
    if (await isLocal(job.source.registryId, owner)) {
      await rights.assert(owner, { action: 'pull', repository: job.image });
      return local.open(job.image);
    }
    await rights.assert(owner, { action: 'pull_external' });
    return openSource(job, owner);
  }

  async function assertLeaves(job: Readable, digest: string): Promise<ExplainedDecision | null> {
    const owner = await rights.principal(job.ownerId);
    if (!(await isLocal(job.source.registryId, owner))) return null;
    return ports.copyGate.assertLeaves(owner, { repository: job.image, digest });
  }

  async function openSource(job: Readable, owner: Principal): Promise<Repository> {
    const { kind, registryId, host } = job.source;
    if (kind === 'dockerhub') return access.openDockerHub(job.image);
    if (registryId !== null) return access.openSaved(registryId, job.image, owner);
    const credentials = await jobs.sourceCredentials(job.id);
    return access.openHost(
      { host, repository: job.image, credentials, ...tlsOptions(job.source) },
      owner,
    );
  }

  async function destination(job: StagingJob, push: Push): Promise<PushDestination> {
    const principal = await rights.principal(push.requestedById);
    const isHere = push.kind === 'local' || (await isLocal(push.registryId, principal));
    const target = isHere ? await localTarget(push) : { ...push, folder: null };
    const { bypass } = push;
    await noteFixes(job, push, target);
    const admit = admission(job, () =>
      ports.pushGate.open({ target, account: principal, bypass, digests: [job.digest] }),
    );
    await admit.again();
    const opened = isHere
      ? await localDestination(job, push, principal)
      : await externalDestination(job, push, principal);
    return {
      target: admittedTarget(opened.target, admit),
      isMirror: opened.isMirror,
      readable: opened.readable,
      entering: opened.entering,
      mountFrom: opened.mountFrom,
      judged: admit.latest,
      async pushed() {
        await opened.pushed();
        await recordPass(job, target, { principal, admit });
      },
    };
  }

  /** An image that fixes what the one before has may pass before it is old enough. */
  async function noteFixes(
    { digest }: StagingJob,
    { repository, tag, requestedById: byId }: Push,
    { folder }: PushTarget,
  ): Promise<void> {
    if (digest !== null && folder !== null)
      await ports.ageFixes.note({ image: { digest, repository, folder }, tag, byId });
  }

  async function localTarget({ repository }: Push): Promise<PushTarget> {
    const folder = await rights.folderOf(repository);
    return { registryId: LOCAL_REGISTRY_ID, repository, folder };
  }

  /** An image without a report neither passed nor was blocked. */
  async function recordPass(
    { digest }: StagingJob,
    { repository, folder }: PushTarget,
    { principal, admit }: { principal: Principal; admit: Admission },
  ): Promise<void> {
    if (digest === null || folder === null || admit.latest().explanation.verdict === null) return;
    await ports.recordPass({ digest, repository, folder }, principal);
  }

  async function localDestination(
    job: StagingJob,
    push: Push,
    principal: Principal,
  ): Promise<OpenedTarget> {
    const isMirror = await assertMayEnter(job, push, principal);
    if (job.digest !== null)
      await immutableTags.assertMoves(push.repository, { tag: push.tag, digest: job.digest });
    const locations = ports.blobLocations.of('local', push.repository);
    const own = job.source.registryId === LOCAL_REGISTRY_ID ? [job.image] : [];
    const mountFrom = async (digest: string) =>
      rights.readable(principal, [...own, ...(await locations.find(digest))]);
    const writer = await openLocalWriter(
      { ...local, immutableTags, folderQuotas },
      { name: push.repository, repository: local.open(push.repository) },
      (target) => onThisDisk(job, push, target),
    );
    return {
      isMirror,
      readable: ports.withoutStatements,
      entering: writer.entering,
      target: sharedUploads.shared(writer.target, {
        registry: LOCAL_REGISTRY_ID,
        repository: push.repository,
        mayMountFrom: async (repository) =>
          (await rights.readable(principal, [repository])).length > 0,
        arrived: locations.arrived,
      }),
      mountFrom: ({ digest }) => mountFrom(digest),
      pushed: async () => void (await Promise.all([locations.remember(), writer.settle()])),
    };
  }

  /**
   * What a mirror asked for needs the right to bring in, and to the place that asked alone.
   * @returns whether it is what a mirror asked for
   */
  async function assertMayEnter(
    job: StagingJob,
    push: Push,
    principal: Principal,
  ): Promise<boolean> {
    const { repository } = push;
    const known = await ports.mirrors.ofJob(job.id);
    const isOfMirror = isBringIn(job, push, known);
    if (isOfMirror && known.mirror && mayBringIn(principal, known.mirror.folder)) return true;
    await rights.assert(principal, { action: 'push', repository });
    return isOfMirror;
  }

  /**
   * Blobs that the job pulled are linked into the registry's storage, and others written there,
   * where it is a directory of this machine. Only what the job itself pulled is linked: a blob of
   * the cache may be one that it may not read.
   */
  async function onThisDisk(
    { id }: StagingJob,
    { repository }: Push,
    target: Target & Mounter,
  ): Promise<Target & Mounter> {
    const placement = await ports.placement();
    if (placement === null) return claiming(target);
    const { fileOf } = await ports.layout(id);
    const stored = claiming(storingTarget(target, { repository, placement }));
    return linkedTarget(stored, { repository, placement, fileOf });
  }

  function claiming(target: Target & Mounter): Target & Mounter {
    return localSpace ? withSpaceClaims(target, localSpace) : target;
  }

  async function externalDestination(
    job: StagingJob,
    push: Push,
    principal: Principal,
  ): Promise<OpenedTarget> {
    await rights.assert(principal, { action: 'push_external' });
    if (push.registryId === null) {
      const credentials = await jobs.pushCredentials(job.id, push.id);
      const target = access.openHost(
        { host: push.host, repository: push.repository, credentials, tls: 'loopback-fallback' },
        principal,
      );
      const nothing = { mountFrom: async () => [], pushed: async () => {} };
      return { isMirror: false, readable: whole, target, entering: unlimited, ...nothing };
    }
    // A saved registry has one account for all repositories: what that account wrote, it may read.
    const locations = ports.blobLocations.of(push.registryId, push.repository);
    const target = await access.openSaved(push.registryId, push.repository, principal);
    const own = job.source.registryId === push.registryId ? [job.image] : [];
    const mountFrom = async (digest: string) => [...own, ...(await locations.find(digest))];
    return {
      isMirror: false,
      readable: whole,
      entering: unlimited,
      target: sharedUploads.shared(target, {
        registry: push.registryId,
        repository: push.repository,
        mayMountFrom: async () => true,
        arrived: locations.arrived,
      }),
      mountFrom: ({ digest }) => mountFrom(digest),
      pushed: locations.remember,
    };
  }

  async function isLocal(registryId: string | null, principal: Principal): Promise<boolean> {
    return registryId !== null && (await access.locate(registryId, principal)).kind === 'local';
  }

  return { source, assertLeaves, destination };
}
