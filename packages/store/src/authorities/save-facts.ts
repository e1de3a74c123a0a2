/** Keeps what was read of the signatures of a digest, with what follows for standings. */
import { storableJson } from '@portcullis/domain';
import { type Connection, type Database, inTransaction, Prisma } from '../database.ts';

import { claimSignatures } from './claim-signatures.ts';
import type { ClaimedSignatures, ReadSignatures, SignedDigest } from './records.ts';

export function saveFacts(
  db: Database,
  claimed: ClaimedSignatures,
  found: ReadSignatures,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const saved = await save(tx, claimed, found);
    return saved?.isChanged ? markStandings(tx, claimed.digest) : [];
  });
}

/** It was read before its claim: what came since then is still to be read. */
export function recordFacts(
  db: Database,
  read: SignedDigest,
  found: ReadSignatures,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const claimed = await claimSignatures(tx, read, { isTaken: true });
    const saved = claimed && (await save(tx, { ...claimed, noted: 0 }, found));
    return saved?.isChanged ? markStandings(tx, read.digest) : [];
  });
}

/** @returns null where the claim was lost */
async function save(
  tx: Connection,
  { digest, registry, repository, attempts, noted }: ClaimedSignatures,
  { facts, askedOf, root, unread, isComplete }: ReadSignatures,
): Promise<{ isChanged: boolean } | null> {
  const own = Prisma.sql`digest = ${digest} AND registry = ${registry}
    AND repository = ${repository} AND attempts = ${attempts}`;
  const [saved] = await tx.$queryRaw<{ isChanged: boolean }[]>`
    WITH before AS (
      SELECT facts, asked_of, unread, is_complete, checked_at FROM image_signatures
       WHERE ${own} FOR UPDATE)
    UPDATE image_signatures s
       SET facts = ${storableJson(facts)}::jsonb, asked_of = ${storableJson(askedOf)}::jsonb, root = ${root},
           unread = ${unread}, is_complete = ${isComplete}, checked_at = now(),
           read = greatest(read, ${noted}), tries = 0, not_before = NULL, error = NULL,
           lease_until = NULL
      FROM before
     WHERE ${own}
    RETURNING (before.checked_at, before.facts, before.asked_of, before.unread, before.is_complete)
              IS DISTINCT FROM
              (coalesce(before.checked_at, s.checked_at), s.facts, s.asked_of, s.unread,
               s.is_complete) AS "isChanged"`;
  return saved ?? null;
}

/** The signatures of an index count for its platforms, whose standings are part of its own. */
async function markStandings(tx: Connection, digest: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ digest: string }[]>`
    SELECT ${digest} AS digest
     UNION
    SELECT digest FROM local_contents WHERE parent = ${digest} AND is_manifest
     UNION
    SELECT parent FROM local_contents WHERE digest = ${digest} AND is_manifest`;
  const digests = rows.map((row) => row.digest);
  await tx.$executeRaw`
    UPDATE image_standings SET stale = TRUE WHERE digest = ANY(${digests}) AND NOT stale`;
  return digests;
}
