/**
 * Which repositories of a registry hold a blob: what pushes of ours put there. A hint for cross-repository mounts,
 * never more: one that is stale costs a request that the registry answers with a plain upload.
 */
import type { Redis } from '@portcullis/runtime';

export interface BlobLocations {
  of(registry: string, repository: string): RepositoryBlobs;
}

export interface RepositoryBlobs {
  /** Other repositories, and remembers that this blob was asked for. */
  find(digest: string): Promise<string[]>;
  /** This repository holds it now. */
  arrived(digest: string): Promise<void>;
  /** The push is done: this repository now holds all that was asked for. */
  remember(): Promise<void>;
}

const KEPT_SECONDS = 30 * 24 * 3600;
/** More candidates than this aren't worth their requests. */
const CANDIDATES = 5;

/** Not a pipeline: ioredis makes one slowly where BullMQ has taught it its fifty commands. */
const NOTE = `
  for _, key in ipairs(KEYS) do
    redis.call('SADD', key, ARGV[1])
    redis.call('EXPIRE', key, ARGV[2])
  end`;

export function createBlobLocations(redis: Pick<Redis, 'srandmember' | 'eval'>): BlobLocations {
  return {
    of(registry, repository) {
      const asked = new Set<string>();
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
          asked.add(digest);
          const known = await redis.srandmember(key(digest), CANDIDATES + 1);
          // It is here already, most likely.
          if (known.includes(repository)) return [];
          return known.slice(0, CANDIDATES);
        },
        arrived: (digest) => note([digest]),
        remember: () => note([...asked]),
      };
    },
  };
}
