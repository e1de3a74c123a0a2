/**
 * Which repositories of a registry hold a blob: what pushes of ours put there. A hint for cross-repository mounts,
 * never more: one that is stale costs a request that the registry answers with a plain upload.
 */
import type { Redis } from '@portcullis/runtime';

export interface BlobHomes {
  of(registry: string, repository: string): Homes;
}

export interface Homes {
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

export function createBlobHomes(redis: Pick<Redis, 'srandmember' | 'pipeline'>): BlobHomes {
  return {
    of(registry, repository) {
      const asked = new Set<string>();
      const key = (digest: string) => `portcullis:blob-homes:${registry}:${digest}`;

      async function note(digests: Iterable<string>): Promise<void> {
        const batch = redis.pipeline();
        for (const digest of digests) batch.sadd(key(digest), repository).expire(key(digest), KEPT_SECONDS);
        await batch.exec();
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
        remember: () => note(asked),
      };
    },
  };
}
