/** @prisma/adapter-pg with workarounds for three gaps that the schema engine runs into. */
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

export class EngineAdapter extends PrismaPg {
  #url;

  constructor(url) {
    super(new EnginePool(url), { disposeExternalPool: true });
    this.#url = url;
  }

  async connect() {
    return restoreCharColumns(await super.connect());
  }

  /**
   * Upstream passes both a connection string and a database name, and pg prefers the former: the
   * shadow database would be the main one.
   */
  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    await this.#administer(`CREATE DATABASE "${name}"`);
    const shadow = new URL(this.#url);
    shadow.pathname = `/${name}`;
    const connection = await new EngineAdapter(shadow.href).connect();
    const dispose = connection.dispose.bind(connection);
    connection.dispose = async () => {
      await dispose();
      await this.#administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    };
    return connection;
  }

  async #administer(sql) {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}

class EnginePool extends pg.Pool {
  constructor(connectionString) {
    super({ connectionString });
    patchQuery(this);
  }

  connect(callback) {
    if (!callback) return super.connect().then(patchQuery);
    return super.connect((error, client, done) =>
      callback(error, client && patchQuery(client), done),
    );
  }
}

const patched = new WeakSet();

function patchQuery(target) {
  if (patched.has(target)) return target;
  patched.add(target);
  const query = target.query.bind(target);
  target.query = (statement, ...rest) => {
    const result = query(withoutNotNull(statement), ...rest);
    return result?.then ? result.then(markCharColumns) : result;
  };
  return target;
}

/**
 * PostgreSQL 18 lists NOT NULL constraints in pg_constraint, which makes the engine panic
 * (prisma/orm#29635).
 */
function withoutNotNull(statement) {
  if (typeof statement?.text !== 'string') return statement;
  const text = statement.text.replace(/contype NOT IN \('p', 'u', 'f'\)/, "contype IN ('c', 'x')");
  return { ...statement, text };
}

/**
 * adapter-pg does not know the catalog type "char": it is presented as bpchar, and its columns are
 * marked by name.
 */
const CHAR_OID = 18;
const BPCHAR_OID = 1042;
const MARK = '\u0001char:';

function markCharColumns(result) {
  for (const field of result?.fields ?? []) {
    if (field.dataTypeID !== CHAR_OID) continue;
    field.dataTypeID = BPCHAR_OID;
    field.name = MARK + field.name;
  }
  return result;
}

function restoreCharColumns(connection) {
  const queryRaw = connection.queryRaw.bind(connection);
  connection.queryRaw = async (...args) => {
    const result = await queryRaw(...args);
    result.columnNames.forEach((name, i) => {
      if (!name.startsWith(MARK)) return;
      result.columnNames[i] = name.slice(MARK.length);
      result.columnTypes[i] = ColumnTypeEnum.Character;
    });
    return result;
  };
  return connection;
}
