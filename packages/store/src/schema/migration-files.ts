/** The migrations of this release: the directories of prisma/migrations, each with a SQL file. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DEFAULT_DIR = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));

export interface Migration {
  name: string;
  sql: string;
  /**
   * The newest migration of the oldest release whose processes can run on the tables after this
   * migration.
   */
  runsSince: string;
  checksum: string;
}

/** In the order of application. */
export async function migrationNames(dir = DEFAULT_DIR): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.sort();
}

export async function readMigrations(dir = DEFAULT_DIR): Promise<Migration[]> {
  return Promise.all((await migrationNames(dir)).map((name) => readMigration(dir, name)));
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const sql = await readFile(path.join(dir, name, 'migration.sql'), 'utf8');
  const runsSince = RUNS_SINCE.exec(sql)?.[1] ?? name;
  return { name, sql, runsSince, checksum: createHash('sha256').update(sql).digest('hex') };
}

/**
 * A line in the migration's file: `-- runs-since: 20261128000000_init`. Without it no release
 * before it can run on its tables.
 */
const RUNS_SINCE = /^-- runs-since: (\S+)$/m;
