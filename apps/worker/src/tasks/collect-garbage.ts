/** Garbage collection of the built-in registry, in batches or with the write lock held. */
import type { CollectorLock, ExclusiveLock, IndexKeeper } from '@portcullis/local-registry';
import { repositoriesIn, unreachable } from '@portcullis/local-registry';
import type { Digest } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { Store } from '@portcullis/store';
import type { ClosedStorage, GarbageStorage, SweptStorage } from './garbage-storage.ts';

export interface CollectGarbagePorts {
  registryLock: CollectorLock;
  storage: GarbageStorage;
  open(repository: string): Pick<Repository, 'remove'>;
  keeper: Pick<IndexKeeper, 'removed'>;
  images: Pick<Store['images'], 'removeManifests' | 'partsOf'>;
  /** What stays although no tag leads to it. */
  inUse: Pick<Store['imagesInUse'], 'all'>;
  now(): Date;
  line(text: string): void;
}

type ClosedPorts = CollectGarbagePorts & { storage: ClosedStorage };

export interface CollectionOptions {
  dryRun: boolean;
  deleteUntagged: boolean;
}

export interface GarbageFigures {
  blobsDeleted: number;
  manifestsDeleted: number;
  bytesFreed: number;
}

/** How long running writes may take to end. New writes wait meanwhile. */
const PATIENCE_MS = 120_000;
/** How long the lock remembers the blobs that pushes rely on. */
const UNKNOWN_MS = 24 * 3_600_000;

/** @throws unavailable `GC_FAILED`, `REGISTRY_BUSY`, `GATE_LOST`; the signal's reason */
export async function collectGarbage(
  order: CollectionOptions,
  ports: CollectGarbagePorts,
  signal: AbortSignal,
): Promise<GarbageFigures> {
  const { storage } = ports;
  if ('sweep' in storage) return sweep(order, { ...ports, storage }, signal);
  return collectClosed(order, { ...ports, storage }, signal);
}

async function sweep(
  order: CollectionOptions,
  {
    storage,
    registryLock,
    images,
    inUse,
    now,
    line,
  }: CollectGarbagePorts & { storage: SweptStorage },
  signal: AbortSignal,
): Promise<GarbageFigures> {
  const { blobs, manifests, bytes } = await storage.sweep({
    ...order,
    registryLock,
    pinned: order.deleteUntagged ? await inUse.all() : [],
    forget: images.removeManifests,
    recorded: images.partsOf,
    now,
    line,
    signal,
  });
  return { blobsDeleted: blobs, manifestsDeleted: manifests, bytesFreed: bytes };
}

async function collectClosed(
  order: CollectionOptions,
  ports: ClosedPorts,
  signal: AbortSignal,
): Promise<GarbageFigures> {
  if (order.dryRun) return collect(order, ports, signal);
  ports.line('waiting for the writes that began');
  await using closed: ExclusiveLock = await ports.registryLock.close({
    patienceMs: PATIENCE_MS,
    signal,
  });
  return await collect(order, ports, AbortSignal.any([signal, closed.lost]));
}

async function collect(
  { dryRun, deleteUntagged }: CollectionOptions,
  ports: ClosedPorts,
  signal: AbortSignal,
): Promise<GarbageFigures> {
  const { entries, since } = await ports.registryLock.needed();
  const kept = new Map<string, Set<string>>();
  const inUse = deleteUntagged ? await ports.inUse.all() : [];
  for (const { repository, digest } of [...entries, ...inUse])
    kept.set(repository, (kept.get(repository) ?? new Set()).add(digest));
  const manifestsDeleted = deleteUntagged
    ? await removeUntagged(kept, { dryRun, ports, signal })
    : 0;
  const { blobs, bytes } = await ports.storage.collect({
    line: ports.line,
    recorded: ports.images.partsOf,
    dryRun,
    kept: new Set(entries.map(({ digest }) => digest)),
    keptBetween: { from: new Date(ports.now().getTime() - UNKNOWN_MS), to: since },
    signal,
  });
  return { blobsDeleted: blobs, manifestsDeleted, bytesFreed: bytes };
}

interface Removing {
  dryRun: boolean;
  ports: ClosedPorts;
  signal: AbortSignal;
}

/**
 * The registry's `--delete-untagged` would remove children of tagged indexes and all signatures.
 */
async function removeUntagged(
  kept: ReadonlyMap<string, ReadonlySet<string>>,
  { dryRun, ports, signal }: Removing,
): Promise<number> {
  let removed = 0;
  const storage = ports.storage.files(signal);
  for await (const repository of repositoriesIn(storage)) {
    const reached = { kept: kept.get(repository) ?? new Set(), recorded: ports.images.partsOf };
    for (const digest of await unreachable(storage, repository, reached)) {
      signal.throwIfAborted();
      ports.line(`${repository}: untagged manifest ${digest}`);
      if (!dryRun) await remove(repository, digest, ports, signal);
      removed += 1;
    }
  }
  return removed;
}

async function remove(
  repository: string,
  digest: Digest,
  { open, keeper }: CollectGarbagePorts,
  signal: AbortSignal,
): Promise<void> {
  await open(repository).remove(digest, { signal });
  await keeper.removed({ repository, reference: digest });
}
