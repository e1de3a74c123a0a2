/**
 * Images in DATA_DIR: a cache with each blob once, and one layout per job with hard links to it.
 */
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
  /** Layout with the manifests of a lazy job, in the job's directory. */
  manifests(jobId: string): Promise<Layout>;
  /** Layout of the image without the layers that its scan skips, in the job's directory. */
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
