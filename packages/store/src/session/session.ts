/**
 * What every session of ours with PostgreSQL has in common, whatever the server, the database or
 * the role set: times are in UTC, dates in ISO form, and names are looked up in one schema.
 */
import { unavailable } from '@portcullis/errors';
import pg from 'pg';

/**
 * Of a new session: the server may be far away, busy, or asleep until it is asked. In a pool also
 * the wait for a free connection, as after the start of many clients.
 */
export const CONNECT_TIMEOUT_MS = 15_000;

export interface SessionTarget {
  /** For the driver: without what only we read. */
  connectionString: string;
  /** From `?schema=`, as Prisma's tools read it; null for the `search_path` of the account. */
  schema: string | null;
}

export function sessionTarget(databaseUrl: string): SessionTarget {
  const url = URL.parse(databaseUrl);
  const schema = url?.searchParams.get('schema') ?? null;
  if (url === null || schema === null) return { connectionString: databaseUrl, schema: null };
  url.searchParams.delete('schema');
  return { connectionString: url.href, schema: schema === '' ? null : schema };
}

/**
 * These are statements and no parameters of the start packet, because poolers refuse those. A
 * pooler in transaction mode follows TimeZone and DateStyle; the others have the same value in each
 * session of ours.
 */
const COMMON = [
  `SET TimeZone = 'UTC'`,
  `SET DateStyle = 'ISO, YMD'`,
  `SET default_transaction_isolation = 'read committed'`,
];

/** @throws unavailable `DATABASE_POOLER` */
export async function beginSession(
  client: pg.ClientBase,
  { schema, more = [] }: { schema: string | null; more?: readonly string[] },
): Promise<void> {
  const own = schema === null ? [] : [`SET search_path = ${pg.escapeIdentifier(schema)}`];
  await client.query([...COMMON, ...own, ...more].join('; '));
  if (schema !== null) await assertNoPooler(client);
}

/** A pooler makes up the process id that a client gets when it connects. */
const IS_POOLED = 'SELECT pg_backend_pid() <> $1 AS pooled';

/** `search_path` belongs to a session, and a pooler may give each transaction another one. */
async function assertNoPooler(client: pg.ClientBase): Promise<void> {
  const announced: unknown = Reflect.get(client, 'processID');
  const { rows } = await client.query<{ pooled: boolean }>(IS_POOLED, [announced]);
  if (rows[0]?.pooled !== true) return;
  throw unavailable(
    'DATABASE_POOLER',
    '?schema= in DATABASE_URL does not work through a pooler (pgbouncer), which gives each transaction another session; remove it, and run ALTER ROLE … SET search_path = … for the account',
  );
}

/**
 * The schema in which this session creates tables; null where `search_path` names none that exists.
 */
export async function currentSchema(client: Pick<pg.ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ name: string | null }>('SELECT current_schema() AS name');
  return rows[0]?.name ?? null;
}
