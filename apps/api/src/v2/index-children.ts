/**
 * Who reads an index reads its manifests next: one image, one event. Remembered is exactly what the index named, for
 * the account that read it, and by every replica: the next request may reach another one.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import type { Logger, Redis } from '@portcullis/runtime';
import { z } from 'zod';

export interface IndexReader {
  accountId: string;
  repository: string;
}

export interface IndexChildren {
  isChild(reader: IndexReader, digest: string): Promise<boolean>;
  /** To be put into the stream of an index's bytes. */
  listen(reader: IndexReader): Transform;
}

const REMEMBERED_SECONDS = 600;
const MAX_INDEX_BYTES = 4 * 1024 * 1024;

const Named = z.object({ manifests: z.array(z.object({ digest: z.string() })).max(1000) });

/** Of every replica. */
export interface ChildMemory {
  remember(keys: readonly string[], seconds: number): Promise<void>;
  knows(key: string): Promise<boolean>;
}

export function createIndexChildren(memory: ChildMemory): IndexChildren {
  return {
    isChild: (reader, digest) => memory.knows(keyOf(reader, digest)),
    listen: (reader) =>
      collector((bytes) => {
        const keys = namedIn(bytes).map((digest) => keyOf(reader, digest));
        return memory.remember(keys, REMEMBERED_SECONDS);
      }),
  };
}

/** Without Redis a child is told of as well: an event too many, never one too few. */
export function createChildMemory(redis: Redis, log: Pick<Logger, 'warn'>): ChildMemory {
  const missed = (err: unknown) => {
    log.warn({ err }, 'the manifests of an index could not be remembered or recalled');
    return 0;
  };
  return {
    async remember(keys, seconds) {
      const pipeline = redis.pipeline();
      for (const key of keys) pipeline.set(key, '', 'EX', seconds);
      await pipeline.exec().catch(missed);
    },
    knows: async (key) => (await redis.exists(key).catch(missed)) === 1,
  };
}

function keyOf({ accountId, repository }: IndexReader, digest: string): string {
  return `v2:child:${accountId} ${repository} ${digest}`;
}

/** Holds the bytes back until they are remembered: the client's next request may come before a stream's end does. */
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

/** Longer ones pass unheard; registries take none above 4 MiB. */
export function isListenable(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'] ?? '';
  const size = Number(headers['content-length'] ?? Number.NaN);
  return /[.](?:index|list)[.]/.test(type) && size <= MAX_INDEX_BYTES;
}

function namedIn(bytes: Buffer): string[] {
  try {
    const named = Named.safeParse(JSON.parse(bytes.toString('utf8')));
    return named.success ? named.data.manifests.map(({ digest }) => digest) : [];
  } catch {
    return []; // no JSON: nothing to remember, and not ours to judge
  }
}
