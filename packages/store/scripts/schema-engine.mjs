#!/usr/bin/env node
// Stand-in for Prisma's native schema engine: the same JSON-RPC over stdio, backed by @prisma/schema-engine-wasm
// (from npm) and @prisma/adapter-pg. Point PRISMA_SCHEMA_ENGINE_BINARY here and no CDN download is needed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const argv = process.argv.slice(2);
const opt = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
if (argv.includes('--version')) {
  console.log('schema-engine-cli wasm');
  process.exit(0);
}
const { url } = JSON.parse(opt('--datasource') ?? '{}');

// ---- one-shot commands -------------------------------------------------------------------------------------------
if (argv.includes('cli')) {
  const cmd = argv.at(-1);
  const line = (level, fields) =>
    process.stderr.write(JSON.stringify({ level, target: 'schema_engine::logger', fields }) + '\n');
  process.stderr.write('{}\n'); // the CLI ignores the first line of stderr
  const target = new URL(url);
  const db = decodeURIComponent(target.pathname.slice(1));
  if (cmd !== 'can-connect-to-database') target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.toString() });
  try {
    await client.connect();
    if (cmd === 'create-database') await client.query(`CREATE DATABASE ${pg.escapeIdentifier(db)}`);
    if (cmd === 'drop-database') await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(db)}`);
    line('INFO', { message: 'ok' });
    process.exit(0);
  } catch (e) {
    line('ERROR', {
      is_panic: false,
      error_code: { '3D000': 'P1003', '28P01': 'P1000' }[e.code] ?? 'P1001',
      message: e.message || String(e),
    });
    process.exit(1);
  }
}

// ---- adapter-pg, with three gaps closed --------------------------------------------------------------------------
const CHAR = '\u0001char:';
const patchQuery = (target) => {
  if (target.patched) return target;
  target.patched = true;
  const query = target.query.bind(target);
  target.query = (q, ...rest) => {
    // 1. PostgreSQL 18 lists NOT NULL in pg_constraint and the engine panics on it (prisma/orm#29635).
    if (typeof q?.text === 'string')
      q = { ...q, text: q.text.replace(/contype NOT IN \('p', 'u', 'f'\)/, "contype IN ('c', 'x')") };
    const r = query(q, ...rest);
    return r?.then
      ? r.then((x) => {
          for (const f of x?.fields ?? [])
            if (f.dataTypeID === 18) {
              f.dataTypeID = 1042;
              f.name = CHAR + f.name;
            }
          return x;
        })
      : r;
  };
  return target;
};
class Pool extends pg.Pool {
  constructor(connectionString) {
    super({ connectionString });
    patchQuery(this);
  }
  connect(cb) {
    return cb
      ? super.connect((e, c, done) => cb(e, c && patchQuery(c), done))
      : super.connect().then(patchQuery);
  }
}
// 2. the catalog type "char" (oid 18) is unknown to adapter-pg; report it as Character.
const withChar = (q) => {
  const queryRaw = q.queryRaw.bind(q);
  q.queryRaw = async (...a) => {
    const r = await queryRaw(...a);
    r.columnNames.forEach((n, i) => {
      if (n.startsWith(CHAR)) {
        r.columnNames[i] = n.slice(CHAR.length);
        r.columnTypes[i] = ColumnTypeEnum.Character;
      }
    });
    return r;
  };
  return q;
};
class Adapter extends PrismaPg {
  constructor(u) {
    super(new Pool(u), { disposeExternalPool: true });
    this.url = u;
  }
  async connect() {
    return withChar(await super.connect());
  }
  // 3. upstream passes {connectionString, database} and pg lets the former win, so its "shadow" would be the main database.
  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const admin = async (sql) => {
      const c = new pg.Client({ connectionString: this.url });
      await c.connect();
      try {
        await c.query(sql);
      } finally {
        await c.end();
      }
    };
    await admin(`CREATE DATABASE "${name}"`);
    const u = new URL(this.url);
    u.pathname = `/${name}`;
    const conn = await new Adapter(u.toString()).connect();
    const dispose = conn.dispose.bind(conn);
    conn.dispose = async () => {
      await dispose();
      await admin(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    };
    return conn;
  }
}

// ---- engine + JSON-RPC -------------------------------------------------------------------------------------------
let panic = '';
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (m) => {
    panic = m;
  },
  get: () => panic,
};
const dir = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
const bg = await import(path.join(dir, 'schema_engine_bg.js'));
const { instance } = await WebAssembly.instantiate(readFileSync(path.join(dir, 'schema_engine_bg.wasm')), {
  './schema_engine_bg.js': bg,
});
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();
const datamodels = argv.flatMap((a, i) =>
  a === '--datamodels' ? [[argv[i + 1], readFileSync(argv[i + 1], 'utf8')]] : [],
);
let engine;
const start = () =>
  (engine ??= bg.SchemaEngine.new(
    { datamodels: datamodels.length ? datamodels : undefined },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new Adapter(url)),
  ));
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n');
let printed = 0;
for await (const text of createInterface({ input: process.stdin })) {
  if (!text.trim()) continue;
  const { id, method, params } = JSON.parse(text);
  if (!method) continue; // acknowledgement of a print
  try {
    const e = await start();
    // These two only read the engine's schema cache (they get no shadow database), so fill it for this list first.
    if (method === 'evaluateDataLoss' || method === 'createMigration')
      await e.diagnoseMigrationHistory({
        migrationsList: params.migrationsList,
        optInToShadowDatabase: true,
        filters: params.filters,
      });
    const result = await e[method](params);
    if (typeof result?.stdout === 'string') {
      send({ id: -++printed, method: 'print', params: { content: result.stdout } });
      result.stdout = null;
    }
    send({ id, result: result ?? null });
  } catch (e) {
    const message = panic || e?.message || String(e);
    send({
      id,
      error: {
        code: 4466,
        message: 'An error happened. Check the data field for details.',
        data: e?.code
          ? { is_panic: false, message, meta: e.meta ?? null, error_code: e.code }
          : { is_panic: !!panic, message, backtrace: null },
      },
    });
    if (panic) break;
  }
}
process.exit(0);
