/**
 * Manifests in memory, by digest, with the headers of the registry's reply. They are kept from
 * replies of the registry, so that its reading of a manifest is the only one.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { type Digest, isDigest } from '@portcullis/oci';
import { LRUCache } from 'lru-cache';
import { answeredHeaders } from '../headers.ts';

interface KnownManifest {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
}

export interface ManifestMemory {
  find(digest: Digest): KnownManifest | undefined;
  /**
   * A stream stage that keeps the manifest of a reply with status 200 to a GET; null if it is too
   * large, or named by another algorithm.
   */
  keep(headers: IncomingHttpHeaders): Transform | null;
}

const MEMORY_BYTES = 64 * 1024 * 1024;
/** Hashing a larger one would hold up other requests. */
const LARGEST_BYTES = 256 * 1024;

export function createManifestMemory(): ManifestMemory {
  const known = new LRUCache<Digest, KnownManifest>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1024,
  });
  return {
    find: (digest) => known.get(digest),
    keep(headers) {
      const digest = headers['docker-content-digest']?.toString() ?? '';
      const size = Number(headers['content-length'] ?? Number.NaN);
      if (!isDigest(digest) || !digest.startsWith('sha256:') || !(size <= LARGEST_BYTES))
        return null;
      if (known.has(digest)) return null;
      return collect((bytes) => {
        if (`sha256:${createHash('sha256').update(bytes).digest('hex')}` !== digest) return;
        known.set(digest, {
          bytes,
          headers: { ...answeredHeaders(headers) } as IncomingHttpHeaders,
        });
      });
    },
  };
}

/** Passes everything on, and calls `done` with all of it at the end. */
function collect(done: (bytes: Buffer) => void): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _, next) {
      chunks.push(chunk);
      next(null, chunk);
    },
    flush(next) {
      done(Buffer.concat(chunks));
      next();
    },
  });
}
