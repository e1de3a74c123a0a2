/**
 * Stores when this installation first and last saw a digest under a tag: the clock for the age of
 * an image. Times are the database's, and no row ever gets an earlier one.
 */
import { type Connection, type Database, Prisma, run } from '../database.ts';
import type { SeenDigest } from './records.ts';

export function createSightings(db: Database) {
  return {
    /**
     * Keeps that a pull saw an image.
     * @param copyOf the digest at the source, where selected platforms of it became another index
     * @returns when the image was first seen, under any name
     */
    async pulled(seen: SeenDigest, copyOf: string): Promise<Date> {
      await run(() => see(db, [{ ...seen, digest: copyOf }]));
      if (copyOf !== seen.digest) await run(() => see(db, [seen], copyOf));
      const first = await firstOf(db, seen.digest);
      if (!first) throw new Error(`no sighting of ${seen.digest} was stored`);
      return first;
    },
    /** When a digest was first and last seen under a tag; null where it was not. */
    async find(place: SeenDigest): Promise<{ first: Date; last: Date } | null> {
      const where = { repository_tag_digest: place };
      return run(() => db.sighting.findUnique({ where, select: { first: true, last: true } }));
    },
    first: (digest: string): Promise<Date | null> => firstOf(db, digest),
  };
}

export function see(
  db: Connection,
  seen: readonly SeenDigest[],
  since: string | null = null,
): Promise<number> {
  return db.$executeRaw`${seeing(seen, since)}`;
}

/**
 * The statement, for others that keep a sighting with what they write.
 * @param since a digest with the same content, whose first sighting is that of these, too
 */
export function seeing(seen: readonly SeenDigest[], since: string | null = null): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO sightings (repository, tag, digest, first)
    SELECT repository, tag, digest,
           coalesce((SELECT min(s.first) FROM sightings s WHERE s.digest = ${since}), now())
      FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS given (repository text, tag text, digest text)
    ON CONFLICT (repository, tag, digest) DO UPDATE SET last = now()`;
}

/**
 * The first sighting of a digest under any name. An index names the digests of its images, which
 * are therefore as old as the oldest index here that lists them.
 */
export function firstSighting(digest: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (SELECT min(sighting.first) FROM sightings sighting
      WHERE sighting.digest = ANY (ARRAY(
        SELECT ${digest} UNION ALL
        SELECT listed.parent FROM local_contents listed
         WHERE listed.digest = ${digest} AND listed.is_manifest)))`;
}

async function firstOf(db: Database, digest: string): Promise<Date | null> {
  const asked = firstSighting(Prisma.sql`${digest}::text`);
  const [row] = await run(() => db.$queryRaw<{ first: Date | null }[]>`SELECT ${asked} AS first`);
  return row?.first ?? null;
}
