/** Audit events that are on the stream alone: they go into a backup as well, and at the restore into the archive. */
import { archivedUpTo, eventsFrom } from '@portcullis/events';
import type { Redis } from '@portcullis/runtime';
import { type Surrounded, withRedisServer } from '../connections.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { ENTRIES } from './manifest.ts';

export interface AuditBacklog {
  /** Gives what people must know. */
  write(archive: ArchiveWriter): Promise<string[]>;
}

const LEFT_OUT =
  'Redis can not be reached: audit events that were not archived yet are not in the backup.';

/** From where the archive is now. */
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
