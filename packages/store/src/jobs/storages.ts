/**
 * The storages (DATA_DIRs) of the workers. Times are the database's, so that workers' clocks do not
 * matter.
 */

import { STORAGE_LEASE_MS } from '@portcullis/domain';
import { ago } from '../ago.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import type { FoundOrphans, Storage, StorageState } from './records.ts';

type Row = Omit<Storage, 'state'> & { state: unknown };

export function createStorages(db: Database) {
  return {
    /** A worker reports that it uses the storage and, with `state`, the storage's state. */
    async beat(id: string, state?: StorageState): Promise<void> {
      const column =
        state === undefined ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(state)}::jsonb`;
      await run(
        () => db.$executeRaw`
          INSERT INTO storages AS known (id, state) VALUES (${id}::uuid, ${column})
          ON CONFLICT (id) DO UPDATE SET seen_at = now(), state = COALESCE(EXCLUDED.state, known.state)`,
      );
    },
    /** Most recently seen first. */
    async list(): Promise<Storage[]> {
      const rows = await run(
        () => db.$queryRaw<Row[]>`
          SELECT id::text, state, seen_at AS "seenAt",
                 seen_at > now() - ${STORAGE_LEASE_MS} * interval '1 millisecond' AS "isAlive"
            FROM storages ORDER BY seen_at DESC LIMIT 1000`,
      );
      return rows.map(toStorage);
    },
    /** Stores the directories without a job that a worker found. */
    async keepOrphans(id: string, found: FoundOrphans): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE storages SET orphans = ${JSON.stringify(found)}::jsonb, orphans_at = now()
           WHERE id = ${id}::uuid`,
      );
    },
    /**
     * The database's current time, and the orphans found since; null for a storage without any
     * result.
     */
    async orphans(since?: Date): Promise<{ now: Date; found: Map<string, FoundOrphans> }> {
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
    /** Removes storages that no worker has used since, and returns their ids. */
    async removeUnseen(forMs: number): Promise<string[]> {
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
