/** Claims of workers that read the signatures of a digest. */
import { type Connection, type Database, Prisma } from '../database.ts';
import type { ClaimedSignatures, SignedDigest } from './records.ts';

/** Longer than a reading may take. */
const READING = Prisma.sql`now() + interval '2 minutes'`;
const IS_FREE = Prisma.sql`(image_signatures.lease_until IS NULL OR image_signatures.lease_until < now())`;

/** @returns null while another worker reads it, unless it is taken from that one */
export async function claimSignatures(
  db: Database | Connection,
  { digest, registry, repository }: SignedDigest,
  { isTaken = false } = {},
): Promise<ClaimedSignatures | null> {
  const [claimed] = await db.$queryRaw<ClaimedSignatures[]>`
    INSERT INTO image_signatures (digest, registry, repository, attempts, lease_until)
    VALUES (${digest}, ${registry}, ${repository}, 1, ${READING})
    ON CONFLICT (digest, registry, repository) DO UPDATE
      SET attempts = image_signatures.attempts + 1, lease_until = excluded.lease_until
    WHERE ${isTaken} OR ${IS_FREE}
    RETURNING digest, registry, repository, attempts, noted`;
  return claimed ?? null;
}
