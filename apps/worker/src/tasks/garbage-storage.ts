/** The built-in registry's storage for garbage collection: a local directory or a bucket. */
import path from 'node:path';
import {
  bucketFiles,
  type Collected,
  type Collection,
  collectGarbage,
  directoryFiles,
  findProgram,
  isOfThisMachine,
  openBucket,
  type StorageFiles,
  sweepBucket,
  sweepDirectory,
} from '@portcullis/local-registry';
import type { WorkerConfig } from '../config.ts';

export type GarbageStorage = SweptStorage | ClosedStorage;

type SweepOptions = Parameters<typeof sweepDirectory>[0];

export interface SweptStorage {
  /**
   * Deletes in batches between which writes go on.
   * @throws unavailable `GC_FAILED`, `REGISTRY_BUSY`, `GATE_LOST`; the signal's reason
   */
  sweep(options: Omit<SweepOptions, 'storageDir'>): ReturnType<typeof sweepDirectory>;
}

/** Storage in which writes must wait for the whole collection. */
export interface ClosedStorage {
  files(signal: AbortSignal): StorageFiles;
  /** @throws unavailable `GC_FAILED`, `STORE_FAILED`; the signal's reason */
  collect(collection: Collection): Promise<Collected>;
}

type Settings = Pick<
  WorkerConfig,
  'registryBucket' | 'REGISTRY_STORAGE' | 'REGISTRY_BINARY' | 'PATH' | 'DATA_DIR'
>;

/** Null where this worker has no access to the storage. */
export async function garbageStorage(config: Settings): Promise<GarbageStorage | null> {
  return config.registryBucket ? inBucket(config.registryBucket) : inDirectory(config);
}

function inBucket({ root, ...bucket }: NonNullable<Settings['registryBucket']>): ClosedStorage {
  const files = (signal: AbortSignal) => bucketFiles(openBucket({ ...bucket, signal }), root);
  return {
    files,
    collect: (collection) =>
      sweepBucket({ ...collection, storage: files(collection.signal), now: () => new Date() }),
  };
}

async function inDirectory(config: Settings): Promise<GarbageStorage | null> {
  const { REGISTRY_STORAGE: storageDir, REGISTRY_BINARY: binary, PATH, DATA_DIR } = config;
  if (storageDir === undefined) return null;
  if (isOfThisMachine(storageDir))
    return { sweep: (options) => sweepDirectory({ ...options, storageDir }) };
  const program = await findProgram(storageDir, { binary, path: PATH });
  if (program === null) return null;
  const workDir = path.join(DATA_DIR, 'cache', 'gc');
  return {
    files: () => directoryFiles(storageDir),
    collect: (collection) => collectGarbage({ ...collection, storageDir, program, workDir }),
  };
}
