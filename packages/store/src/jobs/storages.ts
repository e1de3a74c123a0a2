/**
 * The storages (DATA_DIRs) of the workers. Times are the database's, so that workers' clocks do not
 * matter.
 */

import { STORAGE_LEASE_MS } from '@portcullis/domain';
import { ago } from '../ago.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import type { FoundOrphans, Storage, StorageState, Storages } from '../port.ts';

type Row = Omit<Storage, 'state'> & { state: unknown };

export function createStorages(db: Database): Storages {
  return {
    async beat(id, state) {
      const column =
        state === undefined ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(state)}::jsonb`;
      await run(
        () => db.$executeRaw`
          INSERT INTO storages AS known (id, state) VALUES (${id}::uuid, ${column})
          ON CONFLICT (id) DO UPDATE SET seen_at = now(), state = COALESCE(EXCLUDED.state, known.state)`,
      );
    },
    async list() {
      const rows = await run(
        () => db.$queryRaw<Row[]>`
          SELECT id::text, state, seen_at AS "seenAt",
                 seen_at > now() - ${STORAGE_LEASE_MS} * interval '1 millisecond' AS "isAlive"
            FROM storages ORDER BY seen_at DESC LIMIT 1000`,
      );
      return rows.map(toStorage);
    },
    async keepOrphans(id, found) {
      await run(
        () => db.$executeRaw`
          UPDATE storages SET orphans = ${JSON.stringify(found)}::jsonb, orphans_at = now()
           WHERE id = ${id}::uuid`,
      );
    },
    async orphans(since) {
      const [clock] = await run(
        () => db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
      );
      const rows = await run(() =>
        db.storage.findMany({
          where: { orphansAt: { gte: since ?? new Date(8.64e15) } },
          select: { id: true, orphans: true },
        }),
      );
      const found = new Map(rows.map(({ id, orphans }) => [id, toOrphans(orphans)]));
      return { now: clock?.now ?? new Date(), found };
    },
    async removeUnseen(forMs) {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          DELETE FROM storages WHERE seen_at < ${ago(forMs)} RETURNING id::text`,
      );
      return rows.map(({ id }) => id);
    },
  };
}

/** The JSON column contains what `beat` wrote. */
function toStorage({ state, ...row }: Row): Storage {
  return { ...row, state: state as StorageState | null };
}

function toOrphans(stored: unknown): FoundOrphans {
  const { items, complete } = stored as FoundOrphans;
  return {
    items: items.map((item) => ({ ...item, modifiedAt: new Date(item.modifiedAt) })),
    complete,
  };
}
