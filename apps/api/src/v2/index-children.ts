/**
 * Who reads an index reads its manifests next: one image, one event. Remembered is exactly what the index named, for
 * the account that read it; another replica doesn't know, and tells of a child once more.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { z } from 'zod';

export interface IndexReader {
  accountId: string;
  repository: string;
}

export interface IndexChildren {
  isChild(reader: IndexReader, digest: string): boolean;
  /** To be put into the stream of an index's bytes. */
  listen(reader: IndexReader): Transform;
}

const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 50_000;
const MAX_INDEX_BYTES = 4 * 1024 * 1024;

const Named = z.object({ manifests: z.array(z.object({ digest: z.string() })).max(1000) });

export function createIndexChildren(now: () => number): IndexChildren {
  const until = new Map<string, number>();
  const remember = (reader: IndexReader, bytes: Buffer) => {
    if (until.size > MOST_REMEMBERED) until.clear(); // costs an event too many, never one too few
    for (const digest of namedIn(bytes)) until.set(keyOf(reader, digest), now() + REMEMBERED_MS);
  };
  return {
    isChild: (reader, digest) => (until.get(keyOf(reader, digest)) ?? 0) > now(),
    listen: (reader) => collector((bytes) => remember(reader, bytes)),
  };
}

function keyOf({ accountId, repository }: IndexReader, digest: string): string {
  return `${accountId} ${repository} ${digest}`;
}

/** Holds the bytes back until they are remembered: the client's next request may come before a stream's end does. */
function collector(done: (bytes: Buffer) => void): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _, next) {
      chunks.push(chunk);
      next();
    },
    flush(next) {
      const bytes = Buffer.concat(chunks);
      done(bytes);
      next(null, bytes);
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
