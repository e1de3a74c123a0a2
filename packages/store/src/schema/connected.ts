/** One connection without Prisma, for migrations, dumps and diagnostics. */
import pg from 'pg';
import { unreachable } from '../database.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** @throws unavailable `DATABASE_UNAVAILABLE` */
export async function connected<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'portcullis command',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect().catch((error: unknown) => {
    throw unreachable(error);
  });
  try {
    // Makes times in text form independent of the server's settings.
    await client.query(`SET datestyle = 'ISO'; SET timezone = 'UTC'`);
    return await work(client);
  } finally {
    // Rolls back an open transaction.
    await client.end();
  }
}
