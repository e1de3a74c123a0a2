/**
 * Blob locations: the repositories of a registry that our pushes wrote a blob to. They are
 * candidates for cross-repository mounts. A stale one costs one request, which the registry answers
 * with a plain upload.
 */
import type { Redis } from '@portcullis/runtime';

export interface BlobLocations {
  of(registry: string, repository: string): RepositoryBlobs;
}

interface RepositoryBlobs {
  /** Other repositories with this blob. Also marks the blob as part of this push. */
  find(digest: string): Promise<string[]>;
  /** Records that this repository has the blob now. */
  arrived(digest: string): Promise<void>;
  /** Records, after the push, that this repository has all blobs that were looked up. */
  remember(): Promise<void>;
}

const KEPT_SECONDS = 30 * 24 * 3600;
/** More candidates cost more requests than they save. */
const CANDIDATES = 5;

/**
 * A script, because ioredis builds pipelines slowly once BullMQ has defined its fifty commands on
 * it.
 */
const NOTE = `
  for _, key in ipairs(KEYS) do
    redis.call('SADD', key, ARGV[1])
    redis.call('EXPIRE', key, ARGV[2])
  end`;

export function createBlobLocations(redis: Pick<Redis, 'srandmember' | 'eval'>): BlobLocations {
  return {
    of(registry, repository) {
      const lookedUp = new Set<string>();
      const noted = new Set<string>();
      const key = (digest: string) => `portcullis:blob-locations:${registry}:${digest}`;

      async function note(digests: string[]): Promise<void> {
        const fresh = digests.filter((digest) => !noted.has(digest));
        if (fresh.length === 0) return;
        await redis.eval(NOTE, fresh.length, ...fresh.map(key), repository, KEPT_SECONDS);
        for (const digest of fresh) noted.add(digest);
      }

      return {
        async find(digest) {
          lookedUp.add(digest);
          const known = await redis.srandmember(key(digest), CANDIDATES + 1);
          // The repository itself most likely has it.
          if (known.includes(repository)) return [];
          return known.slice(0, CANDIDATES);
        },
        arrived: (digest) => note([digest]),
        remember: () => note([...lookedUp]),
      };
    },
  };
}
