import { conflict, notFound, unavailable } from '@portcullis/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from './generated/client.ts';

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

/** Also limits the wait for a free connection of the pool, as after the start of many clients. */
const CONNECT_TIMEOUT_MS = 15_000;
/** No statement takes longer unless it waits for a lock or a dead server. */
const STATEMENT_TIMEOUT_MS = 30_000;
const POOL_SIZE = 10;

export function openDatabase(databaseUrl: string): PrismaClient {
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'portcullis',
  });
  // Waiting for a pooled connection, or for a row that another worker holds, is normal under load.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
}

/**
 * Unreachable by code: Prisma's (P2024, P2028: no connection or transaction in time), PostgreSQL's
 * classes 08, 53 and 57P, and the system's codes of a Unix socket that does not exist or was
 * closed, which the adapter passes on.
 */
const UNREACHABLE_CODE = /^(?:P1001|P1002|P1008|P1017|P2024|P2028|08...|53...|57P..|ENOENT|EPIPE)$/;
/** Unreachable by the adapter's kind, where a raw query has no better code than P2010. */
const UNREACHABLE_KIND =
  /^(?:DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
/** The pool's own errors have no code at all. */
const UNREACHABLE_MESSAGE = /^(?:Connection terminated|timeout exceeded when trying to connect)/;

/**
 * Runs a statement and converts the database's errors to our own. Every statement goes through
 * here.
 */
export async function run<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (isFull(error)) throw full(error);
    throw isUnreachable(error) ? unreachable(error) : error;
  }
}

export function inTransaction<T>(db: Database, work: (tx: Connection) => Promise<T>): Promise<T> {
  return run(() => db.$transaction(work));
}

export function unreachable(cause: unknown): Error {
  return unavailable('DATABASE_UNAVAILABLE', 'the database can not be reached', {
    cause,
    retryAfter: 5,
  });
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
