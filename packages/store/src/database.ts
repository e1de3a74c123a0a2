/** Opens the database with the limits that each process has. */
import { type AppError, conflict, isAppError, notFound, unavailable } from '@portcullis/errors';
import { Prisma, PrismaClient } from './generated/client.ts';
import { type DatabaseFault, describeDatabaseFault } from './session/database-fault.ts';
import { POOL_SIZE, PooledAdapter } from './session/pool.ts';

export { Prisma, type PrismaClient } from './generated/client.ts';

/**
 * Transactions are functions here: Prisma's array form would begin its statements before the
 * transaction.
 */
export type Database = Omit<PrismaClient, '$transaction' | '$extends' | '$on'> & {
  $transaction<T>(work: (tx: Connection) => Promise<T>, options?: { timeout?: number }): Promise<T>;
};
/** The client or an open transaction. */
export type Connection = Omit<
  PrismaClient,
  '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'
>;

export function openDatabase(databaseUrl: string, poolSize = POOL_SIZE): PrismaClient {
  // Waiting for a pooled connection, or for a row that another worker holds, is normal under load.
  const transactionOptions = { maxWait: 10_000, timeout: 20_000 };
  return new PrismaClient({
    adapter: new PooledAdapter(databaseUrl, poolSize),
    transactionOptions,
  });
}

/**
 * Unreachable by code: Prisma's (P10xx: no connection, or it was refused; P2024, P2028: no
 * connection or transaction in time), PostgreSQL's classes 08, 28, 53 and 57P and its code of a
 * database that does not exist, and the system's codes of sockets, names and certificates.
 */
const UNREACHABLE_CODE =
  /^(?:P10(?:00|01|02|03|08|10|11|17)|P2024|P2028|08...|28...|3D000|53...|57P..|E[A-Z_]{2,}|CERT_\w+|ERR_(?:TLS|SSL)_\w+|DEPTH_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;
/** Unreachable by the adapter's kind, where a raw query has no better code than P2010. */
const UNREACHABLE_KIND =
  /^(?:DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TlsConnectionError)$/;
/** The pool's own errors have no code at all. */
const UNREACHABLE_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|The server does not support SSL)/;

/**
 * Runs a statement and converts the database's errors to our own. Every statement goes through
 * here.
 */
export async function run<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (isFull(error)) throw full(error);
    if (isReadOnly(error)) throw readOnly(error);
    throw isUnreachable(error) ? unreachable(error) : error;
  }
}

export function inTransaction<T>(db: Database, work: (tx: Connection) => Promise<T>): Promise<T> {
  return run(() => db.$transaction(work));
}

export function unreachable(cause: unknown): AppError {
  // A fault that already has words, as of a pooler.
  if (isAppError(cause)) return cause;
  const text = `the database can not be reached: ${describeDatabaseFault(faultOf(cause))}`;
  return unavailable('DATABASE_UNAVAILABLE', text, { cause, retryAfter: 5 });
}

/** The adapter's kinds that have no code of a system or of PostgreSQL. */
const CODE_OF_KIND: Readonly<Record<string, string>> = {
  DatabaseNotReachable: 'ECONNREFUSED',
  ConnectionClosed: 'ECONNRESET',
  SocketTimeout: 'ETIMEDOUT',
  TooManyConnections: '53300',
};

/** From the driver's error, or from what Prisma made of it. */
function faultOf(error: unknown): DatabaseFault {
  const cause = driverCause(error) ?? error;
  const kind = CODE_OF_KIND[text(cause, 'kind') ?? ''];
  return {
    code: text(cause, 'originalCode') ?? kind ?? text(cause, 'code') ?? text(error, 'code'),
    message: text(cause, 'originalMessage') ?? text(cause, 'reason') ?? text(cause, 'message'),
  };
}

function text(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** PostgreSQL's `read_only_sql_transaction`. */
function isReadOnly(error: unknown): boolean {
  return [property(error, 'code'), property(driverCause(error), 'originalCode')].includes('25006');
}

function readOnly(cause: unknown): AppError {
  const message =
    'the database takes no writes: DATABASE_URL leads to a standby, or the server is read-only';
  return unavailable('DATABASE_READ_ONLY', message, { cause, retryAfter: 5 });
}

/** PostgreSQL's `disk_full`. */
function isFull(error: unknown): boolean {
  const codes = [property(error, 'code'), property(driverCause(error), 'originalCode')];
  return codes.includes('53100');
}

function full(cause: unknown): Error {
  const message = 'the disk is full: the database can not save what is written to it';
  return unavailable('DISK_FULL', message, { cause, retryAfter: 5 });
}

function isUnreachable(error: unknown): boolean {
  if (isAppError(error)) return false;
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  const cause = driverCause(error);
  return (
    [property(error, 'code'), property(cause, 'originalCode')].some((code) =>
      matches(UNREACHABLE_CODE, code),
    ) ||
    matches(UNREACHABLE_KIND, property(cause, 'kind')) ||
    matches(UNREACHABLE_MESSAGE, property(error, 'message'))
  );
}

/** Whether a statement was cancelled by the statement timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return property(driverCause(error), 'originalCode') === '57014';
}

/** Whether a statement waited for a lock longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return property(driverCause(error), 'originalCode') === '55P03';
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

/**
 * The unique index that an insert or update violated; null for other errors. Prisma 7 has no
 * `meta.target`.
 */
function violatedIndex(error: unknown): string | null {
  if (property(error, 'code') !== 'P2002') return null;
  const index = property(property(driverCause(error), 'constraint'), 'index');
  return typeof index === 'string' ? index : '';
}

/** Whether the error means a missing row (P2025) or a missing referenced row (P2003). */
function isMissing(error: unknown): boolean {
  const code = property(error, 'code');
  return code === 'P2025' || code === 'P2003';
}

function driverCause(error: unknown): unknown {
  // Wrapped by the client, or bare where a transaction did not even begin.
  const wrapped = property(property(error, 'meta'), 'driverAdapterError') ?? error;
  return property(wrapped, 'cause');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

interface Meanings {
  /** Code and message for a name that is taken. */
  taken?: [code: string, message: string];
  /** Code and message for a row that does not exist. */
  missing?: [code: string, message: string];
}

/** `run` for a write whose constraint violations have a meaning. */
export async function write<T>(meanings: Meanings, statement: () => Promise<T>): Promise<T> {
  try {
    return await run(statement);
  } catch (error) {
    if (meanings.taken && violatedIndex(error) !== null) throw conflict(...meanings.taken);
    if (meanings.missing && isMissing(error)) throw notFound(...meanings.missing);
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** PostgreSQL refuses any other text for a uuid column; such an id is treated as unknown. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

export function must<T>(found: T | null, code: string, message: string): T {
  if (found === null) throw notFound(code, message);
  return found;
}
