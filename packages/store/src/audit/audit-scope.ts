/**
 * Audit scopes: which event the writes of a request belong to. While a scope runs, the first write
 * that the store commits inserts the event's row in the same transaction, so no service has to pass
 * the event on. Only the event is carried implicitly; transactions stay explicit and short.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEvent } from '@portcullis/domain';
import { type Connection, type Database, Prisma, type PrismaClient } from '../database.ts';

export interface Following {
  /** The event as it would be if the process died now. */
  draft(): AuditEvent;
  /** Whether its row is committed. */
  written: boolean;
  /** Whether a commit that includes it was attempted. */
  tried: boolean;
}

const current = new AsyncLocalStorage<Following>();

export function follow<T>(following: Following, work: () => Promise<T>): Promise<T> {
  return current.run(following, work);
}

/** Whether the caller's next write has to carry an event. */
export function isInAuditScope(): boolean {
  return current.getStore()?.written === false;
}

/**
 * A longer request counts as interrupted; its event is then published in two parts, see `endOpen`.
 */
const OPEN_MS = 60_000;

/** Inserts the drafts of events. Idempotent: parallel writes of one request all call it. */
export async function insertOpen(tx: Connection, events: readonly AuditEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  const bodies = events.map((event) => JSON.stringify(event));
  await tx.$executeRaw`
    INSERT INTO audit_outbox (id, body, open_until)
    SELECT id::uuid, body::json, now() + ${OPEN_MS} * interval '1 millisecond'
      FROM unnest(${ids}::text[], ${bodies}::text[]) WITH ORDINALITY AS given (id, body, nth)
     ORDER BY nth
    ON CONFLICT (id) DO NOTHING`;
}

const WRITES: ReadonlySet<string> = new Set([
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'delete',
  'deleteMany',
]);

type Statement = (tx: Connection) => Promise<unknown>;

/**
 * Wraps the client so that its writes carry the running scope's event. Statements within a
 * transaction are left alone.
 */
export function followScope(client: PrismaClient): Database {
  async function transaction(statement: Statement, options?: object): Promise<unknown> {
    const following = current.getStore();
    if (!following || following.written) return client.$transaction(statement, options);
    following.tried = true;
    const result = await client.$transaction(async (tx) => {
      const done = await statement(tx);
      await insertOpen(tx, [following.draft()]);
      return done;
    }, options);
    following.written = true;
    return result;
  }

  function delegate(model: string, methods: object): object {
    return new Proxy(methods, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || !WRITES.has(String(name)) || !isInAuditScope())
          return method;
        return (...given: unknown[]) =>
          transaction((tx) => {
            const within = Reflect.get(tx, model);
            return Reflect.apply(Reflect.get(within, name), within, given);
          });
      },
    });
  }

  /** `$queryRaw` and `$executeRaw`: a template with its values, or a composed statement. */
  function raw(name: '$queryRaw' | '$executeRaw') {
    return (text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const run = (on: Connection) => on[name](text, ...values);
      return isInAuditScope() && changes(text) ? transaction(run) : run(client);
    };
  }

  const own: Record<string, unknown> = {
    $transaction: transaction,
    $queryRaw: raw('$queryRaw'),
    $executeRaw: raw('$executeRaw'),
  };
  const models = new Map<string, object>();
  return new Proxy(client, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function') return member.bind(target);
      if (typeof member !== 'object' || member === null || typeof name !== 'string') return member;
      const known = models.get(name) ?? delegate(name, member);
      models.set(name, known);
      return known;
    },
  });
}

const READS = /^\s*SELECT\b/i;

function changes(text: TemplateStringsArray | Prisma.Sql): boolean {
  const first = text instanceof Prisma.Sql ? text.strings[0] : text[0];
  return !READS.test(first ?? '');
}
