/** The schema that holds our tables: the first of `search_path` that exists. */
import { conflict } from '@portcullis/errors';
import pg from 'pg';
import { currentSchema } from '../session/session.ts';

/** Another program may have a table of the same name in another schema of `search_path`. */
export async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_class WHERE relname = $1 AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
    [name],
  );
  return rowCount !== 0;
}

interface Rights {
  account: string;
  may: boolean;
}

/**
 * Creates the schema that `?schema=` names. @throws conflict `SCHEMA_FORBIDDEN` where the account
 * has no schema to create tables in
 */
export async function ensureSchema(client: pg.Client, wanted: string | null): Promise<void> {
  const found = await currentSchema(client);
  if (found === null && wanted !== null) return createSchema(client, wanted);
  const { rows } = await client.query<Rights>(
    `SELECT current_user AS account, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may`,
  );
  const { account = '', may = false } = rows[0] ?? {};
  if (!may) throw forbidden(found, pg.escapeIdentifier(account));
}

async function createSchema(client: pg.Client, name: string): Promise<void> {
  const schema = pg.escapeIdentifier(name);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`).catch((cause: unknown) => {
    throw conflict(
      'SCHEMA_FORBIDDEN',
      `the schema ${schema} of DATABASE_URL does not exist, and the account may not create it; as an administrator of PostgreSQL run CREATE SCHEMA ${schema} AUTHORIZATION … in that database`,
      { cause },
    );
  });
}

function forbidden(found: string | null, account: string): Error {
  const why =
    found === null
      ? `the search_path of the account ${account} names no schema that exists`
      : `the account ${account} may not create tables in the schema ${pg.escapeIdentifier(found)}`;
  return conflict(
    'SCHEMA_FORBIDDEN',
    `${why}; as an administrator of PostgreSQL run CREATE SCHEMA AUTHORIZATION ${account} in that database, or GRANT CREATE, USAGE ON SCHEMA … TO ${account}`,
  );
}
