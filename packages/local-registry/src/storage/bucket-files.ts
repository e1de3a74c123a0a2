/**
 * The registry's storage in a bucket, as its S3 driver lays it out: the same paths, below a prefix.
 */
import type { Bucket } from './bucket.ts';
import type { StorageFiles } from './storage-files.ts';

export interface BucketFiles extends StorageFiles {
  remove(paths: readonly string[]): Promise<void>;
}

/** @param root the driver's `rootdirectory`, without leading or trailing slash */
export function bucketFiles(bucket: Bucket, root = ''): BucketFiles {
  const prefix = `${root === '' ? '' : `${root}/`}docker/registry/v2/`;
  return {
    async directories(path) {
      const found: string[] = [];
      const parent = `${prefix}${path}/`;
      for await (const { prefixes } of bucket.list(parent, '/'))
        found.push(...prefixes.map((each) => each.slice(parent.length).replace(/\/$/, '')));
      return found.filter((name) => name !== '');
    },
    async *files(path) {
      for await (const { objects } of bucket.list(`${prefix}${path}/`))
        for (const { key, ...facts } of objects) yield { path: key.slice(prefix.length), ...facts };
    },
    read: (path) => bucket.read(prefix + path),
    remove: (paths) => bucket.remove(paths.map((path) => prefix + path)),
  };
}
