import type { AuditEvent } from '@portcullis/domain';
import { ago } from '../ago.ts';
import { type Database, type Prisma, run } from '../database.ts';
import { archiveEvents } from './archive-events.ts';
import { listAudit } from './audit-list.ts';
import type { AuditFilter, AuditPageOptions } from './records.ts';

/** Deleting years in one statement would exceed the statement timeout. */
const REMOVED_AT_ONCE = 5_000;
const RESCUED_AT_ONCE = 1_000;

export function createAudit(db: Database) {
  const archive = (events: readonly AuditEvent[]) => archiveEvents(db, events);

  return {
    /**
     * Inserts events, each once even if delivered twice, and removes them from the outbox in the
     * same transaction.
     */
    insert: archive,

    /**
     * Archives events directly from the outbox that were published this long ago and never arrived:
     * the stream lost them. Returns their number.
     */
    async rescue(olderThanMs: number): Promise<number> {
      const publishedAt = { lt: new Date(Date.now() - olderThanMs) };
      const rows = await run(() =>
        db.outboxEvent.findMany({
          where: { publishedAt },
          orderBy: { seq: 'asc' },
          take: RESCUED_AT_ONCE,
        }),
      );
      await archive(rows.map(({ body }) => body as unknown as AuditEvent));
      return rows.length;
    },

    /**
     * Newest first. A page may be short or empty although more follows: a search reads a bounded
     * number of events per page.
     */
    list: (filter: AuditFilter, page: AuditPageOptions = {}) => listAudit(db, filter, page),

    async removeOlderThan(days: number): Promise<number> {
      const before = ago(days * 86_400_000);
      let removed = 0;
      for (;;) {
        const gone = await run(() => removeBatch(db, before));
        removed += gone;
        if (gone === REMOVED_AT_ONCE) continue;
        await run(() => db.$executeRaw`DELETE FROM image_pulls WHERE pulled_at < ${before}`);
        return removed;
      }
    },
  };
}

function removeBatch(db: Database, before: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events WHERE at < ${before} ORDER BY at, id LIMIT ${REMOVED_AT_ONCE})`;
}
