/**
 * Stores the keys that sign statements about images. A key that another one follows stays published
 * for a while, because copies of what it signed are elsewhere.
 */
import { conflict } from '@portcullis/errors';
import type { Sealer } from '@portcullis/runtime';
import { type Connection, type Database, inTransaction, Prisma, run } from '../database.ts';
import type {
  Adoption,
  CurrentSigningKey,
  NewSigningKey,
  PublishedSigningKey,
  SigningKeyRotation,
} from './records.ts';

/** How long a key is published after it signed last. */
const PUBLISHED_AFTER = Prisma.sql`interval '30 days'`;
const IS_PUBLISHED = Prisma.sql`(published_until IS NULL OR published_until > now())`;
/** The id of the key that signs now. */
export const CURRENT_KEY = Prisma.sql`(
  SELECT id FROM signing_keys WHERE signs_from <= now() AND ${IS_PUBLISHED}
   ORDER BY signs_from DESC, id LIMIT 1)`;

export function createSigningKeys(db: Database, sealer: Sealer) {
  return {
    /** The one that signs last comes first. */
    published: (): Promise<PublishedSigningKey[]> =>
      run(
        () => db.$queryRaw<PublishedSigningKey[]>`
          SELECT id, public_key AS "publicKey", signs_from AS "signsFrom",
                 published_until AS "publishedUntil", id = ${CURRENT_KEY} AS "isCurrent"
            FROM signing_keys WHERE ${IS_PUBLISHED} ORDER BY signs_from DESC, id`,
      ),
    /** PEM of each key that signs, is to sign, or ever signed. */
    everyPublicKey: (): Promise<string[]> =>
      run(async () => {
        const rows = await db.signingKey.findMany({ select: { publicKey: true } });
        return rows.map(({ publicKey }) => publicKey);
      }),
    /** Null before the first one was made. @throws unavailable `SECRET_UNREADABLE` */
    async current(): Promise<CurrentSigningKey | null> {
      const [row] = await run(
        () => db.$queryRaw<(NewSigningKey & { sealedKey: string | null })[]>`
          SELECT id, public_key AS "publicKey", sealed_key AS "sealedKey"
            FROM signing_keys WHERE id = ${CURRENT_KEY}`,
      );
      if (!row) return null;
      const { sealedKey, ...key } = row;
      return { ...key, privateKey: sealedKey === null ? null : sealer.open(sealedKey) };
    },
    /** Keeps a new key where there is none yet. @returns whether it was kept */
    insertFirst: (key: NewSigningKey & { privateKey: string }): Promise<boolean> =>
      changing(db, async (tx) => {
        if ((await tx.signingKey.count()) > 0) return false;
        await insert(tx, key, sealer.seal(key.privateKey), 0);
        return true;
      }),
    /**
     * Lets a key sign whose private part a file has. One that is published no longer, such as one
     * that leaked, would come back with the next start of a worker that still has the file.
     */
    adopt: (key: NewSigningKey): Promise<Adoption> =>
      changing(db, async (tx) => {
        const [known] = await tx.$queryRaw<{ isCurrent: boolean; isPublished: boolean }[]>`
          SELECT id IS NOT DISTINCT FROM ${CURRENT_KEY} AS "isCurrent",
                 ${IS_PUBLISHED} AS "isPublished"
            FROM signing_keys WHERE id = ${key.id}`;
        if (known?.isCurrent) return 'current';
        if (known?.isPublished === false) return 'withdrawn';
        await follow(tx, 0, PUBLISHED_AFTER);
        await insert(tx, key, null, 0);
        return 'adopted';
      }),
    /**
     * Publishes a new key, which signs after some days. @throws conflict `SIGNING_KEY_WAITS` where
     * one waits already, unless it is to sign at once
     */
    rotate: (
      key: NewSigningKey & { privateKey: string },
      { days }: SigningKeyRotation,
    ): Promise<void> =>
      changing(db, async (tx) => {
        const waiting = await tx.$queryRaw<unknown[]>`
          SELECT FROM signing_keys WHERE signs_from > now() AND ${IS_PUBLISHED}`;
        if (waiting.length > 0 && days > 0)
          throw conflict(
            'SIGNING_KEY_WAITS',
            'a new signing key is published already and signs soon',
          );
        await follow(tx, days, days > 0 ? PUBLISHED_AFTER : Prisma.sql`interval '0'`);
        await insert(tx, key, sealer.seal(key.privateKey), days);
      }),
  };
}

/** One writer at a time decides which key follows which. */
function changing<T>(db: Database, work: (tx: Connection) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`;
    return work(tx);
  });
}

/**
 * Ends what is published, some time after the next key begins to sign. One that waits signed
 * nothing, and would sign in the place of the next one later.
 */
async function follow(tx: Connection, days: number, after: Prisma.Sql): Promise<void> {
  await tx.$executeRaw`
    UPDATE signing_keys
       SET published_until = CASE WHEN signs_from > now() THEN now()
             ELSE least(published_until, now() + ${days} * interval '1 day' + ${after}) END
     WHERE ${IS_PUBLISHED}`;
}

/** A key of a file may come back. */
async function insert(
  tx: Connection,
  { id, publicKey }: NewSigningKey,
  sealedKey: string | null,
  days: number,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO signing_keys (id, public_key, sealed_key, signs_from)
    VALUES (${id}, ${publicKey}, ${sealedKey}, now() + ${days} * interval '1 day')
    ON CONFLICT (id) DO UPDATE
       SET signs_from = excluded.signs_from, published_until = NULL`;
}
