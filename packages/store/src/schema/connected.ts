/** One connection without Prisma, for what is no use of the tables but care for them. */
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
    // Texts of times mean the same wherever they are read.
    await client.query(`SET datestyle = 'ISO'; SET timezone = 'UTC'`);
    return await work(client);
  } finally {
    // Whatever is open is rolled back.
    await client.end();
  }
}
