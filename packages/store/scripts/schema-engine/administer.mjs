/** The engine's one-shot commands: can-connect-to-database, create-database, drop-database. */
import pg from 'pg';

/** PostgreSQL error codes and their Prisma codes; any other error means "can't reach". */
const PRISMA_CODES = { '3D000': 'P1003', '28P01': 'P1000' };
const UNREACHABLE = 'P1001';

/** Returns the exit code. */
export async function administer(command, url) {
  // The command line ignores the first line of standard error.
  process.stderr.write('{}\n');
  const target = new URL(url);
  const database = decodeURIComponent(target.pathname.slice(1));
  if (command !== 'can-connect-to-database') target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.href });
  try {
    await client.connect();
    await run(client, command, pg.escapeIdentifier(database));
    report('INFO', { message: 'ok' });
    return 0;
  } catch (error) {
    const error_code = PRISMA_CODES[error.code] ?? UNREACHABLE;
    report('ERROR', { is_panic: false, error_code, message: error.message || String(error) });
    return 1;
  } finally {
    await client.end().catch(() => {});
  }
}

async function run(client, command, database) {
  if (command === 'create-database') await client.query(`CREATE DATABASE ${database}`);
  if (command === 'drop-database') await client.query(`DROP DATABASE IF EXISTS ${database}`);
}

function report(level, fields) {
  process.stderr.write(`${JSON.stringify({ level, target: 'schema_engine::logger', fields })}\n`);
}
