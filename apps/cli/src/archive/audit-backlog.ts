/** Backs up audit events that are only on the stream; a restore puts them into the archive. */
import { archivedUpTo, eventsFrom } from '@portcullis/events';
import type { Redis } from '@portcullis/runtime';
import { type Surrounded, withRedisServer } from '../connections.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { ENTRIES } from './manifest.ts';

export interface AuditBacklog {
  /** Returns warnings for people. */
  write(archive: ArchiveWriter): Promise<string[]>;
}

const LEFT_OUT =
  'Redis can not be reached: audit events that were not archived yet are not in the backup.';

/** Starts at the archive's current position. */
export async function auditBacklog(call: Surrounded): Promise<AuditBacklog> {
  const start = call.surroundings.has('redis')
    ? await withRedisServer(call, archivedUpTo).catch(() => null)
    : null;
  return {
    async write(archive) {
      if (start === null) return [LEFT_OUT];
      await withRedisServer(call, (redis) => archive.lines(ENTRIES.audit, linesOf(redis, start)));
      return [];
    },
  };
}

async function* linesOf(redis: Redis, start: string): AsyncGenerator<string> {
  for await (const event of eventsFrom(redis, start)) yield JSON.stringify(event);
}
