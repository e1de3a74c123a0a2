/** A separate database for each test file: a copy of one that was migrated once. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { sharedPostgresUrl } from '../config.ts';
import { startPostgres } from './postgres.ts';
import type { Delivery } from './server.ts';

export interface TestDatabase {
  url: string;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Migrated and empty. Created on the shared server of the test run, or on a new server. */
export async function createDatabase(delivery: Delivery = {}): Promise<TestDatabase> {
  const shared = sharedPostgresUrl();
  if (shared !== undefined && !delivery.asDelivered) return cloneOn(shared, async () => {});
  const own = await startPostgres(delivery);
  return cloneOn(own.url, own.stop).catch(async (error) => {
    await own.stop();
    throw error;
  });
}

async function cloneOn(serverUrl: string, after: () => Promise<void>): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withAdmin(serverUrl, async (admin) => {
    const template = await migratedTemplate(admin, serverUrl);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  const stop = async () => {
    await withAdmin(serverUrl, (admin) =>
      admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    );
    await after();
  };
  return { url: withDatabase(serverUrl, name), stop, [Symbol.asyncDispose]: stop };
}

const TEMPLATE_LOCK = 0x706f7274;

/**
 * The first caller migrates the template. A template must have no session, so it is renamed only
 * after the connection is closed.
 */
async function migratedTemplate(admin: Client, serverUrl: string): Promise<string> {
  const template = 'portcullis_template';
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const known = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (known.rowCount === 0) await makeTemplate(admin, serverUrl, template);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

async function makeTemplate(admin: Client, serverUrl: string, template: string): Promise<void> {
  const draft = `${template}_draft`;
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${draft}`);
  const { migrate } = await import('@portcullis/store'); // imported lazily: most tests need no Prisma
  await migrate(withDatabase(serverUrl, draft));
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
}

async function withAdmin<T>(url: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
