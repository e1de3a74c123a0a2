/** Stores whose signatures are trusted, and every version that was saved. */
import { conflict } from '@portcullis/errors';
import { type Connection, type Database, inTransaction, must, Prisma, run } from '../database.ts';
import type { Authority as Row } from '../generated/client.ts';
import type {
  AuthorityDocument,
  AuthorityVersion,
  SavedAuthority,
  StoredAuthority,
} from './records.ts';

const MISSING: [string, string] = ['AUTHORITY_UNKNOWN', 'there is no authority of this name'];
/** The names in the rules of a policy `p`. */
export const NAMED = Prisma.sql`jsonb_path_query(p.rules, '$.signatures[*].authorities[*]') named`;

const MOST_VERSIONS = 200;
/** Each signature is verified for all of them. */
const MOST_AUTHORITIES = 100;

export function createAuthorities(db: Database) {
  async function find(name: string): Promise<StoredAuthority | null> {
    const row = await run(() => db.authority.findUnique({ where: { name } }));
    return row && toAuthority(row);
  }

  return {
    find,
    get: async (name: string): Promise<StoredAuthority> => must(await find(name), ...MISSING),
    /** Sorted by name. */
    async list(): Promise<StoredAuthority[]> {
      const rows = await run(() => db.authority.findMany({ orderBy: { name: 'asc' } }));
      return rows.map(toAuthority);
    },
    /** What a decision needs of them, by name. */
    async current(): Promise<Map<string, { version: number; kind: string }>> {
      const select = { name: true, version: true, kind: true };
      const rows = await run(() => db.authority.findMany({ select }));
      return new Map(rows.map(({ name, ...rest }) => [name, rest]));
    },
    /** Newest first, at most 200. */
    async versions(name: string): Promise<AuthorityVersion[]> {
      const order = { orderBy: { version: 'desc' }, take: MOST_VERSIONS } as const;
      const rows = await run(() => db.authorityVersion.findMany({ where: { name }, ...order }));
      return rows.map(({ name: _, document, ...rest }) => ({
        ...rest,
        document: toDocument(document),
      }));
    },
    /** Those that policies of folders and saved registries name, sorted by name. */
    async asked(): Promise<StoredAuthority[]> {
      const rows = await run(
        () => db.$queryRaw<StoredAuthority[]>`
          SELECT a.name, a.version, a.kind, a.document, a.created_at AS "createdAt",
                 a.updated_at AS "updatedAt"
            FROM authorities a
           WHERE a.name IN (SELECT named #>> '{}'
                              FROM policies p, ${NAMED}
                             WHERE EXISTS (SELECT FROM folders f WHERE f.policy_id = p.id)
                                OR EXISTS (SELECT FROM registries r WHERE r.policy_id = p.id))
           ORDER BY a.name`,
      );
      return rows;
    },
    /** The policies that name an authority, by its name. */
    uses: () => run(() => usesOf(db)),
    /** @throws conflict `AUTHORITY_NAME_TAKEN`, `AUTHORITIES_MANY` */
    insertAuthority: (saved: SavedAuthority) => inTransaction(db, (tx) => insert(tx, saved)),
    /** @throws conflict `AUTHORITY_CHANGED` unless `version` is the current one */
    replace: (saved: SavedAuthority & { version: number }) =>
      inTransaction(db, (tx) => replace(tx, saved)),
    /** @throws conflict `AUTHORITY_IN_USE` with the names of the policies */
    remove: (name: string) => inTransaction(db, (tx) => remove(tx, name)),
  };
}

/** Two writers of one name wait for each other, as do the one who counts them and the next. */
async function lock(tx: Connection): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('authorities'))`;
}

async function insert(tx: Connection, saved: SavedAuthority): Promise<StoredAuthority> {
  await lock(tx);
  const { name, document } = saved;
  const known = await tx.authority.findMany({ select: { name: true } });
  if (known.some((each) => each.name === name))
    throw conflict('AUTHORITY_NAME_TAKEN', 'an authority of that name exists already');
  if (known.length >= MOST_AUTHORITIES)
    throw conflict('AUTHORITIES_MANY', `there are ${MOST_AUTHORITIES} authorities already`);
  const version = await keepVersion(tx, saved);
  const data = { name, version, kind: document.kind, document: toColumn(document) };
  return toAuthority(await tx.authority.create({ data }));
}

async function replace(
  tx: Connection,
  { version, ...saved }: SavedAuthority & { version: number },
): Promise<StoredAuthority> {
  await lock(tx);
  const { name, document } = saved;
  const known = must(await tx.authority.findUnique({ where: { name } }), ...MISSING);
  if (known.version !== version)
    throw conflict('AUTHORITY_CHANGED', 'the authority was changed meanwhile; load it again');
  const data = {
    version: await keepVersion(tx, saved),
    kind: document.kind,
    document: toColumn(document),
    updatedAt: new Date(),
  };
  return toAuthority(await tx.authority.update({ where: { name }, data }));
}

async function keepVersion(
  tx: Connection,
  { name, document, savedBy }: SavedAuthority,
): Promise<number> {
  const newest = await tx.authorityVersion.aggregate({ where: { name }, _max: { version: true } });
  const version = (newest._max.version ?? 0) + 1;
  await tx.authorityVersion.create({
    data: { name, version, document: toColumn(document), savedBy },
  });
  return version;
}

async function remove(tx: Connection, name: string): Promise<StoredAuthority> {
  await lock(tx);
  const policies = (await usesOf(tx)).get(name);
  if (policies) throw inUse(policies);
  const removed = must(await tx.authority.findUnique({ where: { name } }), ...MISSING);
  await tx.authority.delete({ where: { name } });
  return toAuthority(removed);
}

async function usesOf(db: Database | Connection): Promise<Map<string, string[]>> {
  const rows = await db.$queryRaw<{ authority: string; policies: string[] }[]>`
    SELECT named #>> '{}' AS authority, array_agg(DISTINCT p.name ORDER BY p.name) AS policies
      FROM policies p, ${NAMED}
     GROUP BY named`;
  return new Map(rows.map(({ authority, policies }) => [authority, policies]));
}

const MOST_NAMED = 20;

function inUse(policies: readonly string[]): Error {
  const more = policies.length > MOST_NAMED ? ` and ${policies.length - MOST_NAMED} more` : '';
  const named = `${policies.slice(0, MOST_NAMED).join(', ')}${more}`;
  const message = `The authority is named by the policies ${named}.`;
  return conflict('AUTHORITY_IN_USE', message, { detail: { policies: [...policies] } });
}

function toAuthority({ document, ...row }: Row): StoredAuthority {
  return { ...row, document: toDocument(document) };
}

/** Contains what this file wrote. */
function toDocument(column: Prisma.JsonValue): AuthorityDocument {
  return column as AuthorityDocument;
}

function toColumn(document: AuthorityDocument): Prisma.InputJsonObject {
  return document as Prisma.InputJsonObject;
}
