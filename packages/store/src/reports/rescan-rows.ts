/** Rows of image_rescans: digests that are being scanned in the background, or failed. */
import { type Connection, Prisma } from '../database.ts';
import { LEASE } from '../lease.ts';
import type { ScanData } from './records.ts';

export const MOST_TRIES = 3;
const PAUSE = Prisma.sql`interval '10 minutes'`;

/** Not tried with these advisories: tries with older ones no longer count. */
export function dueForRetry({ dbUpdatedAt }: ScanData): Prisma.Sql {
  return Prisma.sql`(r.digest IS NULL OR r.db_updated_at < ${dbUpdatedAt}
    OR (r.attempts < ${MOST_TRIES} AND r.tried_at < now() - ${PAUSE} AND (r.lease_until IS NULL OR r.lease_until < now())))`;
}

/** Held until the end of the transaction: of two concurrent workers one sees the other's claim. */
export async function lockRescans(tx: Connection): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('image rescans'))`;
}

/** The end of a statement whose `next` names the digest that a worker claims and its repository. */
export function claimNext({ dbUpdatedAt }: ScanData): Prisma.Sql {
  return Prisma.sql`taken AS (
    INSERT INTO image_rescans (digest, db_updated_at, attempts, tried_at, lease_until)
    SELECT digest, ${dbUpdatedAt}, 1, now(), ${LEASE} FROM next
    ON CONFLICT (digest) DO UPDATE
      SET attempts = CASE WHEN image_rescans.db_updated_at < excluded.db_updated_at THEN 1
                          ELSE image_rescans.attempts + 1 END,
          db_updated_at = excluded.db_updated_at, tried_at = excluded.tried_at,
          lease_until = excluded.lease_until
    RETURNING digest, attempts)
  SELECT taken.digest, taken.attempts, next.repository FROM taken JOIN next USING (digest)`;
}
