import { auditWords } from '@portcullis/domain';
import { listAudit } from './audit-list.ts';
import { type Database, run } from './database.ts';
import { json } from './job-row.ts';
import type { AuditArchive } from './port.ts';

/** Deleting years in one statement would take longer than any statement may. */
const REMOVED_AT_ONCE = 5_000;

export function createAudit(db: Database): AuditArchive {
  return {
    async insert(events) {
      const data = events.map((event) => ({
        id: event.id,
        at: new Date(event.at),
        event: event.event,
        outcome: event.outcome,
        actorId: event.actor.id,
        actor: event.actor.name,
        body: json(event),
        words: auditWords(event),
      }));
      await run(() => db.auditRecord.createMany({ data, skipDuplicates: true }));
    },

    list: (filter, page = {}) => listAudit(db, filter, page),

    async removeOlderThan(days) {
      const before = new Date(Date.now() - days * 86_400_000);
      let removed = 0;
      for (;;) {
        const gone = await run(() => removeSome(db, before));
        removed += gone;
        if (gone < REMOVED_AT_ONCE) return removed;
      }
    },
  };
}

function removeSome(db: Database, before: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events WHERE at < ${before} ORDER BY at, id LIMIT ${REMOVED_AT_ONCE})`;
}
