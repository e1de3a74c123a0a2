/** Reads facts about the database that `doctor` judges. */
import { connected } from './connected.ts';
import { migrationNames } from './migration-files.ts';
import { readMark } from './restore-mark.ts';
import { hasTable } from './tables.ts';

export interface DatabaseFacts {
  /** As reported by the server: `18.4`. */
  version: string;
  now: Date;
  /** Migrations of this release that are not applied. */
  missing: string[];
  /** Applied migrations of a newer release. */
  unknown: string[];
  failed: string[];
  /** When the backup was made whose restore has not ended. */
  restoring: string | null;
  connections: { used: number; limit: number };
}

interface Row {
  version: string;
  now: Date;
  used: number;
  limit: number;
}

const FACTS = `
  SELECT current_setting('server_version') AS version, now() AS now,
         (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
         current_setting('max_connections')::int AS limit`;

/** Facts about the database for `doctor`. @throws unavailable `DATABASE_UNAVAILABLE` */
export async function inspectDatabase(databaseUrl: string): Promise<DatabaseFacts> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<Row>(FACTS);
    const { version = '', now = new Date(0), used = 0, limit = 0 } = rows[0] ?? {};
    const recorded = (await hasTable(client, '_prisma_migrations'))
      ? (
          await client.query<{ name: string; done: boolean }>(
            `SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM "_prisma_migrations"
             WHERE rolled_back_at IS NULL`,
          )
        ).rows
      : [];
    const known = await migrationNames();
    const names = new Set(recorded.map(({ name }) => name));
    return {
      version: version.split(' ')[0] ?? version,
      now,
      missing: known.filter((name) => !names.has(name)),
      unknown: [...names].filter((name) => !known.includes(name)),
      failed: recorded.filter(({ done }) => !done).map(({ name }) => name),
      restoring: await readMark(client),
      connections: { used, limit },
    };
  });
}
