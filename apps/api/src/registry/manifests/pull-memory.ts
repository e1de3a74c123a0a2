/**
 * Remembers recent pulls in Redis, so that the many requests of a pull become few audit events: one
 * for the index and each manifest, and none for blobs after a manifest of their repository. All
 * replicas share it. See docs/guide/oversight.md.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { parseJson } from '@portcullis/oci';
import type { Logger, Redis } from '@portcullis/runtime';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

interface Reader {
  accountId: string;
  repository: string;
}

export interface Pulls {
  /**
   * Whether the read of a manifest is a new event: `false` for a manifest of an index that was just
   * read, and for a repeated read.
   */
  isManifestNews(reader: Reader, digest: string): Promise<boolean>;
  /**
   * Whether the read of a blob is a new event: only without a manifest of its repository, and once.
   */
  isBlobNews(reader: Reader, digest: string): Promise<boolean>;
  /** Records the read of a manifest: reads of blobs belong to this pull. */
  readManifest(reader: Reader): Promise<void>;
  /** Records the read of an index: reads of its manifests belong to this pull. */
  readIndex(reader: Reader, bytes: Buffer): Promise<void>;
  /** A stream stage for the bytes of an index that records its read. */
  listen(reader: Reader): Transform;
}

const REMEMBERED_SECONDS = 600;
const MAX_INDEX_BYTES = 4 * 1024 * 1024;

const Named = z.object({ manifests: z.array(z.object({ digest: z.string() })).max(1000) });

/** Shared by all replicas. */
export interface PullMemory {
  remember(keys: readonly string[], seconds: number): Promise<void>;
  knows(key: string): Promise<boolean>;
  /** Stores the key; false if it was stored already. */
  isFirst(key: string, seconds: number): Promise<boolean>;
}

/** A reader that was recorded so recently is not recorded again: the record is for ten minutes. */
const RECORDED_MS = 10_000;
const MOST_READERS = 10_000;

export function createPulls(memory: PullMemory): Pulls {
  const recorded = new LRUCache<string, true>({ max: MOST_READERS, ttl: RECORDED_MS });

  async function readManifest(reader: Reader): Promise<void> {
    const key = keyOf('reader', reader, '');
    if (recorded.has(key)) return;
    await memory.remember([key], REMEMBERED_SECONDS);
    recorded.set(key, true);
  }

  const readIndex: Pulls['readIndex'] = async (reader, bytes) =>
    memory.remember(
      (await namedIn(bytes)).map((digest) => keyOf('child', reader, digest)),
      REMEMBERED_SECONDS,
    );

  return {
    isManifestNews: async (reader, digest) =>
      !(await memory.knows(keyOf('child', reader, digest))) ||
      (await memory.isFirst(keyOf('read', reader, digest), REMEMBERED_SECONDS)),
    isBlobNews: async (reader, digest) =>
      !(await memory.knows(keyOf('reader', reader, ''))) &&
      (await memory.isFirst(keyOf('blob', reader, digest), REMEMBERED_SECONDS)),
    readManifest,
    readIndex,
    listen: (reader) => collector((bytes) => readIndex(reader, bytes)),
  };
}

/** Without Redis each request is an event: too many rather than too few. */
export function createPullMemory(redis: Redis, log: Pick<Logger, 'warn'>): PullMemory {
  const missed = (err: unknown) => {
    log.warn({ err }, 'what an account pulled could not be remembered or recalled');
    return 0;
  };
  return {
    async remember(keys, seconds) {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.set(key, '', 'EX', seconds);
      await pipeline.exec().catch(missed);
    },
    knows: async (key) => (await redis.exists(key).catch(missed)) === 1,
    isFirst: async (key, seconds) =>
      (await redis.set(key, '', 'EX', seconds, 'NX').catch(missed)) !== null,
  };
}

function keyOf(kind: string, { accountId, repository }: Reader, digest: string): string {
  return `v2:${kind}:${accountId} ${repository} ${digest}`;
}

/**
 * Delays the last bytes until the index is stored, because the client's next request may precede
 * the end of the stream.
 */
function collector(done: (bytes: Buffer) => Promise<void>): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _, next) {
      chunks.push(chunk);
      next();
    },
    flush(next) {
      const bytes = Buffer.concat(chunks);
      void done(bytes).then(() => next(null, bytes));
    },
  });
}

/** Larger indexes are not recorded; registries accept at most 4 MiB. */
export function isListenable(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'] ?? '';
  const size = Number(headers['content-length'] ?? Number.NaN);
  return /[.](?:index|list)[.]/.test(type) && size <= MAX_INDEX_BYTES;
}

async function namedIn(bytes: Buffer): Promise<string[]> {
  try {
    const named = Named.safeParse(await parseJson(bytes));
    return named.success ? named.data.manifests.map(({ digest }) => digest) : [];
  } catch {
    return []; // Not JSON: nothing to record.
  }
}
