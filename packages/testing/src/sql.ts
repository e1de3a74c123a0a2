import { Client } from 'pg';

/** A connection to a test's database, for statements that the store does not offer. */
export async function openSql(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
