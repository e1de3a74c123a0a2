/** One connection without Prisma, for migrations, dumps and diagnostics. */
import pg from 'pg';
import { unreachable } from '../database.ts';
import { beginSession, CONNECT_TIMEOUT_MS, sessionTarget } from '../session/session.ts';

/** @throws unavailable `DATABASE_UNAVAILABLE`, `DATABASE_POOLER` */
export async function connected<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  name = 'portcullis command',
): Promise<T> {
  const { connectionString, schema } = sessionTarget(databaseUrl);
  const client = new pg.Client({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A lost connection is also reported by the query that waits for it.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw unreachable(error);
  });
  try {
    await beginSession(client, { schema });
    return await work(client);
  } finally {
    // Rolls back an open transaction.
    await client.end();
  }
}
