import { auditWords } from '@portcullis/domain';
import { type Database, inTransaction, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { AuditArchive, AuditRecord } from '../port.ts';
import { listAudit } from './audit-list.ts';
import { rememberPulls } from './image-pulls.ts';

/** Deleting years in one statement would exceed the statement timeout. */
const REMOVED_AT_ONCE = 5_000;
const RESCUED_AT_ONCE = 1_000;

export function createAudit(db: Database): AuditArchive {
  async function archive(events: readonly AuditRecord[]): Promise<void> {
    if (events.length === 0) return;
    const data = events.map(toRow);
    const taken = { where: { id: { in: events.map(({ id }) => id) } } };
    await inTransaction(db, async (tx) => {
      await tx.auditRecord.createMany({ data, skipDuplicates: true });
      await tx.outboxEvent.deleteMany(taken);
      await rememberPulls(tx, events);
    });
  }

  return {
    insert: archive,

    async rescue(olderThanMs) {
      const publishedAt = { lt: new Date(Date.now() - olderThanMs) };
      const rows = await run(() =>
        db.outboxEvent.findMany({
          where: { publishedAt },
          orderBy: { seq: 'asc' },
          take: RESCUED_AT_ONCE,
        }),
      );
      await archive(rows.map(({ body }) => body as unknown as AuditRecord));
      return rows.length;
    },

    list: (filter, page = {}) => listAudit(db, filter, page),

    async removeOlderThan(days) {
      const before = new Date(Date.now() - days * 86_400_000);
      let removed = 0;
      for (;;) {
        const gone = await run(() => removeBatch(db, before));
        removed += gone;
        if (gone === REMOVED_AT_ONCE) continue;
        await run(() => db.imagePull.deleteMany({ where: { pulledAt: { lt: before } } }));
        return removed;
      }
    },
  };
}

function removeBatch(db: Database, before: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events WHERE at < ${before} ORDER BY at, id LIMIT ${REMOVED_AT_ONCE})`;
}

function toRow(event: AuditRecord) {
  return {
    id: event.id,
    at: new Date(event.at),
    event: event.event,
    outcome: event.outcome,
    actorId: event.actor.id,
    actor: event.actor.name,
    body: json(event),
    words: auditWords(event),
  };
}
