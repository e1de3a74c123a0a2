#!/usr/bin/env node
/**
 * Replacement for Prisma's native schema engine, which its command line would download: the same
 * JSON-RPC over standard input and output, answered by @prisma/schema-engine-wasm and
 * @prisma/adapter-pg. Used only to write migrations; processes apply them with
 * src/schema/migrate.ts. schema-engine/adapter.mjs works around three gaps of the wasm build.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { EngineAdapter } from './schema-engine/adapter.mjs';
import { administer } from './schema-engine/administer.mjs';

const args = process.argv.slice(2);
let prints = 0;
const { url } = JSON.parse(argumentOf('--datasource') ?? '{}');

if (args.includes('--version')) {
  process.stdout.write('schema-engine-cli wasm\n');
} else if (args.includes('cli')) {
  process.exitCode = await administer(args.at(-1), url);
} else {
  await serve();
  // The engine's open connections would keep the process alive.
  process.exit(0);
}

function argumentOf(name) {
  return args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
}

async function serve() {
  const engine = await loadEngine();
  for await (const line of createInterface({ input: process.stdin })) {
    const request = line.trim() === '' ? {} : JSON.parse(line);
    // A message without a method acknowledges a print request.
    if (request.method && !(await answer(engine, request))) return;
  }
}

/** Returns false after a panic: the engine cannot be used afterwards. */
async function answer(engine, { id, method, params }) {
  try {
    send({ id, result: printed(await call(await engine.open(), method, params)) });
    return true;
  } catch (error) {
    send({ id, error: describe(error, engine.panic()) });
    return engine.panic() === '';
  }
}

async function call(engine, method, params) {
  // These two methods only read the engine's schema cache, because they get no shadow database: it
  // is filled first.
  if (method === 'evaluateDataLoss' || method === 'createMigration') {
    const { migrationsList, filters } = params;
    await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true });
  }
  return engine[method](params);
}

/** The command line shows a diff only if it is sent as a print request. */
function printed(result) {
  if (typeof result?.stdout !== 'string') return result ?? null;
  send({ id: -++prints, method: 'print', params: { content: result.stdout } });
  return { ...result, stdout: null };
}

function describe(error, panic) {
  const message = panic || error?.message || String(error);
  const known = { is_panic: false, message, meta: error?.meta ?? null, error_code: error?.code };
  const unknown = { is_panic: panic !== '', message, backtrace: null };
  return {
    code: 4466,
    message: 'An error happened. Check the data field for details.',
    data: error?.code ? known : unknown,
  };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

async function loadEngine() {
  let panic = '';
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      panic = message;
    },
    get: () => panic,
  };
  const bindings = await instantiate();
  let opened;
  function open() {
    const adapter = bindMigrationAwareSqlAdapterFactory(new EngineAdapter(url));
    opened ??= bindings.SchemaEngine.new({ datamodels: datamodels() }, () => {}, adapter);
    return opened;
  }
  return { open, panic: () => panic };
}

async function instantiate() {
  const dir = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const bindings = await import(path.join(dir, 'schema_engine_bg.js'));
  const wasm = readFileSync(path.join(dir, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

/** The schema files named on the command line; undefined where there are none. */
function datamodels() {
  const files = args.filter((_, i) => args[i - 1] === '--datamodels');
  return files.length > 0 ? files.map((file) => [file, readFileSync(file, 'utf8')]) : undefined;
}
