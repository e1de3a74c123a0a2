/** Where images lie in DATA_DIR: each blob once in the cache, each job's layout as hard links to it. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type BlobCache,
  type BlobCacheOptions,
  type Layout,
  openBlobCache,
  openLayout,
} from '@portcullis/oci/layout';
import { layoutDir } from '../tasks/discard.ts';

export interface Disk {
  cache: BlobCache;
  stagingDir: string;
  layoutDir(jobId: string): string;
  layout(jobId: string): Promise<Layout>;
  /** The manifests of a job whose blobs stay at the source until they are needed; in the job's directory. */
  manifests(jobId: string): Promise<Layout>;
  /** The image of a job but for the layers that its scan is spared; in the job's directory. */
  sparse(jobId: string): Promise<Layout>;
}

export async function openDisk(dataDir: string, options: BlobCacheOptions = {}): Promise<Disk> {
  const stagingDir = path.join(dataDir, 'cache', 'staging');
  await mkdir(stagingDir, { recursive: true });
  const cache = openBlobCache(path.join(dataDir, 'cache', 'blobs'), options);
  const dirOf = (jobId: string) => layoutDir(stagingDir, jobId);
  return {
    cache,
    stagingDir,
    layoutDir: dirOf,
    layout: async (jobId) => openLayout(dirOf(jobId), cache),
    manifests: async (jobId) => openLayout(path.join(dirOf(jobId), 'manifests'), cache),
    sparse: async (jobId) => openLayout(path.join(dirOf(jobId), 'sparse'), cache),
  };
}
