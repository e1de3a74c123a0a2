/** The pool of connections below Prisma. */
import { EventEmitter } from 'node:events';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { beginSession, CONNECT_TIMEOUT_MS, currentSchema, sessionTarget } from './session.ts';

/** No statement takes longer unless it waits for a lock or a dead server. */
const STATEMENT_TIMEOUT_MS = 30_000;
export const POOL_SIZE = 10;

/**
 * Prisma qualifies each table with a schema, `public` unless another one is named; raw statements
 * use `search_path`. Both have to mean the schema that holds the tables.
 */
export class PooledAdapter extends PrismaPg {
  readonly #pool: pg.Pool;
  readonly #schema: string | null;

  constructor(databaseUrl: string, size: number) {
    const { connectionString, schema } = sessionTarget(databaseUrl);
    const pool = openPool(connectionString, schema, size);
    super(pool);
    this.#pool = pool;
    this.#schema = schema;
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const schema = this.#schema ?? (await currentSchema(this.#pool));
    return new PrismaPg(this.#pool, {
      disposeExternalPool: true,
      ...(schema !== null && { schema }),
    }).connect();
  }
}

function openPool(connectionString: string, schema: string | null, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'portcullis',
    onConnect: async (client) => {
      watch(client);
      await beginSession(client, {
        schema,
        more: [`SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`],
      });
    },
  });
  pool.on('release', (_, client) => {
    // The pool removes what is ending.
    if (outdated.has(client)) void client.end();
  });
  // A lost connection that is idle: the pool removes it.
  pool.on('error', () => {});
  return pool;
}

/** Connections whose server said that it is not, or no longer, the one that takes writes. */
const outdated = new WeakSet<pg.ClientBase>();

/**
 * PostgreSQL's `read_only_sql_transaction`, and its classes 08 and 57P: a session with a standby,
 * with a server that was made read-only, or one that is being ended.
 */
const OUTDATED = /^(?:25006|08...|57P..)$/;

/** The driver emits each error reply of the server on the connection of its client. */
function watch(client: pg.ClientBase): void {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof EventEmitter)) return;
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (OUTDATED.test(code ?? '')) outdated.add(client);
  });
}
