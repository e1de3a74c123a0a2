/** Stores what is known of the signatures of digests, and which places have to be read. */
import { LOCAL_REGISTRY_ID, type SignatureFacts, storableJson } from '@portcullis/domain';
import { type Database, Prisma, run } from '../database.ts';
import { claimSignatures } from './claim-signatures.ts';
import { dueElsewhere, dueHere } from './due-signatures.ts';
import { type FoundFacts, mergedFacts } from './merged-facts.ts';
import type {
  ClaimedSignatures,
  ReadSignatures,
  SignaturesFault,
  SignedDigest,
} from './records.ts';
import { recordFacts, saveFacts } from './save-facts.ts';

/** The pauses between tries double from a quarter of a minute to an hour. */
const PAUSE = Prisma.sql`least(interval '15 seconds' * power(2, least(tries, 20)), interval '1 hour')`;

export function createSignatureFacts(db: Database) {
  return {
    /** Of those of which anything is known. The signatures of an index count for its platforms. */
    ofDigests: (digests: readonly string[]) => ofDigests(db, digests),
    /** What has to be read in the built-in registry, with the shipped root of this day. */
    dueHere: (root: string, limit: number) => dueHere(db, root, limit),
    /** What has to be read again where jobs pulled it from. */
    dueElsewhere: (root: string, limit: number) => dueElsewhere(db, root, limit),
    /** Null while another worker reads the place. */
    claim: (place: SignedDigest) => run(() => claimSignatures(db, place)),
    /**
     * Keeps what was read, marks the standings that it may change, and ends the claim.
     * @returns the digests whose standings it may change: none where nothing changed, or where
     * the claim was lost and nothing was kept
     */
    save: (claimed: ClaimedSignatures, found: ReadSignatures) => saveFacts(db, claimed, found),
    /** The same for what was read without a claim, such as by a job that pulls the image. */
    record: (read: SignedDigest, found: ReadSignatures) => recordFacts(db, read, found),
    /** Another worker may claim it at once. */
    async release({ digest, registry, repository, attempts }: ClaimedSignatures): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE image_signatures SET lease_until = NULL
           WHERE digest = ${digest} AND registry = ${registry} AND repository = ${repository}
             AND attempts = ${attempts}`,
      );
    },
    /** What was known before stays; it is tried again after a pause. */
    async fail(
      { digest, registry, repository, attempts }: ClaimedSignatures,
      error: { code: string; message: string },
    ): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE image_signatures
             SET lease_until = NULL, error = ${storableJson(error)}::jsonb, tries = tries + 1,
                 not_before = now() + ${PAUSE}
           WHERE digest = ${digest} AND registry = ${registry} AND repository = ${repository}
             AND attempts = ${attempts}`,
      );
    },
    /**
     * Why the signatures of a digest, or of an index that lists it, could not be read: of the
     * built-in registry before others, whose words are left out.
     */
    async faultOf(digest: string): Promise<SignaturesFault | null> {
      const [found] = await run(
        () => db.$queryRaw<SignaturesFault[]>`
          SELECT s.error ->> 'code' AS code, s.not_before AS "nextTryAt",
                 CASE WHEN s.registry = ${LOCAL_REGISTRY_ID} THEN s.error ->> 'message' END AS message
            FROM image_signatures s
           WHERE s.error IS NOT NULL AND s.digest IN (${withIndexes(Prisma.sql`${digest}`)})
           ORDER BY s.registry <> ${LOCAL_REGISTRY_ID}, s.not_before DESC
           LIMIT 1`,
      );
      return found ?? null;
    },
    /**
     * Removes what is known of places that are gone: of the built-in registry at once, of others
     * once no tag and no job has the digest.
     */
    removeUnused: (before: Date): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM image_signatures s
           WHERE CASE WHEN s.registry = ${LOCAL_REGISTRY_ID}
                 THEN NOT EXISTS (SELECT FROM local_manifests m
                                   WHERE m.repository = s.repository AND m.digest = s.digest)
                 ELSE coalesce(s.checked_at, s.not_before, s.lease_until) < ${before}
                      AND NOT EXISTS (SELECT FROM local_manifests m WHERE m.digest = s.digest)
                      AND NOT EXISTS (SELECT FROM staging_jobs j WHERE j.digest = s.digest) END`,
      ),
  };
}

async function ofDigests(
  db: Database,
  digests: readonly string[],
): Promise<Map<string, SignatureFacts>> {
  const rows = await run(
    () => db.$queryRaw<{ digest: string; found: FoundFacts[] | null }[]>`
      SELECT asked.digest, ${foundSignatures(Prisma.sql`asked.digest`)} AS found
        FROM unnest(${[...new Set(digests)]}::text[]) asked (digest)`,
  );
  return new Map(
    rows.flatMap(({ digest, found }) => {
      const merged = found && mergedFacts(found);
      return merged ? [[digest, merged] as const] : [];
    }),
  );
}

/** What is known of a digest by each place, and of the indexes that list it; else null. */
export function foundSignatures(digest: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    CASE WHEN EXISTS (SELECT FROM image_signatures)
    THEN (SELECT jsonb_agg(jsonb_build_object(
                   'facts', s.facts, 'askedOf', s.asked_of, 'unread', s.unread,
                   'isComplete', s.is_complete, 'checkedAt', s.checked_at,
                   'isOwn', s.digest = ${digest}, 'isAwaited', ${IS_AWAITED})
                 ORDER BY s.digest <> ${digest}, s.digest, s.registry, s.repository)
            FROM image_signatures s
           WHERE s.digest IN (${withIndexes(digest)})) END`;
}

/** So often, which is some hours, a registry may fail before it counts as one without an answer. */
const PATIENCE = 10;

/** Of `s`: a job knows how to open its source. */
const IS_AWAITED = Prisma.sql`
  CASE WHEN s.registry = ${LOCAL_REGISTRY_ID} THEN FALSE
       ELSE s.tries < ${PATIENCE}
            AND EXISTS (SELECT FROM staging_jobs j
                         WHERE j.digest = s.digest AND j.image = s.repository
                           AND j.source ->> 'host' = s.registry) END`;

function withIndexes(digest: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT ${digest} UNION ALL
    SELECT c.parent FROM local_contents c WHERE c.digest = ${digest} AND c.is_manifest`;
}
