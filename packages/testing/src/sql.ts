import { Client } from 'pg';

/** A connection to a test's database, for what the store doesn't do. */
export async function openSql(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
