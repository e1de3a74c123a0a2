/**
 * Waits for the end of jobs by one small statement: reading whole jobs again and again would take
 * CPU from what is measured.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openSql } from '@portcullis/testing';

const POLL_MS = 10;
const LONGEST_MS = 1_800_000;

interface Awaited {
  by: 'id' | 'transfer_id';
  id: string;
  /** Jobs that have to end. */
  count: number;
  /** The states that count as an end, beside `failed` and `cancelled`. */
  ends: readonly string[];
}

export interface EndedJobs extends AsyncDisposable {
  wait(awaited: Awaited): Promise<void>;
}

export async function openEndedJobs(databaseUrl: string): Promise<EndedJobs> {
  const sql = await openSql(databaseUrl);
  return {
    async wait({ by, id, count, ends }) {
      const statement = {
        name: `ended by ${by}`,
        text: `SELECT count(*)::int AS ended FROM staging_jobs WHERE ${by} = $1::uuid AND status = ANY ($2)`,
        values: [id, [...ends, 'failed', 'cancelled']],
      };
      for (const end = Date.now() + LONGEST_MS; ; await sleep(POLL_MS)) {
        const { rows } = await sql.query(statement);
        if (rows[0].ended >= count) return;
        if (Date.now() > end) throw new Error(`${rows[0].ended} of ${count} jobs have ended`);
      }
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
