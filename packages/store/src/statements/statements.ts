/**
 * Stores which statements about images are stored beside them. Before a manifest is written its
 * digest is kept in the row, so that what a worker that dies leaves is known.
 */
import { FRESH_KINDS, STATEMENT_KINDS, type StatementKind, storableJson } from '@portcullis/domain';
import { withEvent } from '../audit/outbox.ts';
import { type Database, Prisma, run } from '../database.ts';
import type {
  ClaimedStatement,
  ImageStatement,
  LeftOutStatement,
  StatementCounts,
  StatementKey,
  WantedStatement,
  WrittenStatement,
} from './records.ts';
import { CURRENT_KEY } from './signing-keys.ts';
import { WANTED_STATEMENTS } from './wanted.ts';

/** Readers may ask for a judgement of the last eight days, and images are judged daily. */
const RENEWED = Prisma.sql`interval '6 days'`;
const IS_RENEWED = Prisma.sql`(kind = ANY (${[...FRESH_KINDS]}) OR t.left_out IS NOT NULL)`;
/** Longer than the writing of one may take. */
const WRITING = Prisma.sql`now() + interval '2 minutes'`;
/** The pauses between tries double from a quarter of a minute to an hour. */
const PAUSE = Prisma.sql`least(interval '15 seconds' * power(2, least(tries, 20)), interval '1 hour')`;
const IS_FREE = Prisma.sql`(lease_until IS NULL OR lease_until < now())`;

export function createStatements(db: Database) {
  return {
    /** What has to be written or withdrawn. What changed comes before what is only renewed. */
    due: (limit: number): Promise<StatementKey[]> => due(db, limit),
    counts: (): Promise<StatementCounts> => counts(db),
    ofImage: (image: Pick<StatementKey, 'repository' | 'digest'>) => ofImage(db, image),
    /** Null while another worker has it. */
    claim: (place: StatementKey) => claim(db, place),
    /** Keeps the digest of a manifest before it is written. False where the claim was lost. */
    begin: (claimed: ClaimedStatement, manifest: string): Promise<boolean> =>
      update(
        db,
        claimed,
        Prisma.sql`leftover = array_append(array_remove(leftover, ${manifest}), ${manifest})`,
      ),
    /** It is stored; the one before it is to be removed. */
    written: (
      claimed: ClaimedStatement,
      { manifest, tagged, says, keyId, event }: WrittenStatement,
    ): Promise<boolean> =>
      withEvent(db, event, (tx) =>
        update(
          tx,
          claimed,
          Prisma.sql`
            leftover = array_remove(CASE WHEN manifest IS NULL THEN leftover
                                         ELSE array_append(leftover, manifest) END, ${manifest}),
            manifest = ${manifest}, tagged = ${tagged}, says = ${says}, key_id = ${keyId}, signed_at = now(),
            left_out = NULL, tries = 0, not_before = NULL, error = NULL`,
        ),
      ),
    /** It can not be written: it is not due again before it is another one, or a week is over. */
    leftOut: (
      claimed: ClaimedStatement,
      { says, keyId, why }: LeftOutStatement,
    ): Promise<boolean> =>
      update(
        db,
        claimed,
        Prisma.sql`
          says = ${says}, key_id = ${keyId}, signed_at = now(), left_out = ${why}, tries = 0,
          not_before = NULL, error = NULL`,
      ),
    /** None is in force: the one that is stored is to be removed. */
    withdrawn: (
      claimed: ClaimedStatement,
      event: WrittenStatement['event'] = null,
    ): Promise<boolean> =>
      withEvent(db, event, (tx) =>
        update(
          tx,
          claimed,
          Prisma.sql`
            leftover = CASE WHEN manifest IS NULL THEN leftover
                            ELSE array_append(leftover, manifest) END,
            manifest = NULL, tagged = NULL, says = NULL, key_id = NULL, signed_at = NULL, left_out = NULL`,
        ),
      ),
    /** A manifest of `leftover` is gone. */
    removed: (claimed: ClaimedStatement, manifest: string): Promise<boolean> =>
      update(db, claimed, Prisma.sql`leftover = array_remove(leftover, ${manifest})`),
    /** Ends the claim. A row without any manifest goes, unless a fault is remembered in it. */
    async release(claimed: ClaimedStatement): Promise<void> {
      const own = ownRow(claimed);
      await run(
        () => db.$executeRaw`
          WITH gone AS (
            DELETE FROM image_statements
             WHERE ${own} AND manifest IS NULL AND leftover = '{}' AND error IS NULL
               AND left_out IS NULL
            RETURNING 1)
          UPDATE image_statements SET lease_until = NULL
           WHERE ${own} AND NOT EXISTS (SELECT FROM gone)`,
      );
    },
    /** It is tried again after a pause. */
    async fail(claimed: ClaimedStatement, error: { code: string; message: string }): Promise<void> {
      await update(
        db,
        claimed,
        Prisma.sql`
          lease_until = NULL, error = ${storableJson(error)}::jsonb, tries = tries + 1,
          not_before = now() + ${PAUSE}`,
      );
    },
  };
}

/** Begins a query of `KEPT`, which has each statement that is wanted or stored. */
const WITH_KEPT = Prisma.sql`
  WITH key AS MATERIALIZED (SELECT ${CURRENT_KEY} AS id),
  wanted AS MATERIALIZED ${WANTED_STATEMENTS}`;
const KEPT = Prisma.sql`
  wanted w FULL JOIN image_statements t USING (repository, digest, kind, about)`;
/** Others removed it, or changed what is under the tag; or one of both storages was restored. */
const IS_TOUCHED = Prisma.sql`(t.manifest IS NOT NULL AND (
  NOT EXISTS (SELECT FROM local_manifests m
               WHERE m.repository = t.repository AND m.digest = t.manifest)
  OR (w.is_tagged AND t.tagged IS DISTINCT FROM
        (SELECT tag.digest FROM local_tags tag
          WHERE tag.repository = t.repository AND tag.tag = replace(t.digest, ':', '-') || '.att'))))`;
const IS_DUE = Prisma.sql`(
  (w.says IS DISTINCT FROM t.says OR t.leftover <> '{}' OR (w.says IS NOT NULL AND ${IS_TOUCHED})
   OR (w.says IS NOT NULL AND (t.key_id IS DISTINCT FROM (SELECT id FROM key)
                               OR (${IS_RENEWED} AND t.signed_at < now() - ${RENEWED}))))
  AND (w.says IS NULL OR (SELECT id FROM key) IS NOT NULL))`;

function due(db: Database, limit: number): Promise<StatementKey[]> {
  return run(
    () => db.$queryRaw<StatementKey[]>`
      ${WITH_KEPT}
      SELECT repository, digest, kind, about FROM ${KEPT}
       WHERE ${IS_DUE} AND ${IS_FREE} AND (not_before IS NULL OR not_before < now())
       ORDER BY w.says IS NOT DISTINCT FROM t.says, t.signed_at NULLS LAST, repository, digest, kind
       LIMIT ${limit}`,
  );
}

async function counts(db: Database): Promise<StatementCounts> {
  const [row] = await run(
    () => db.$queryRaw<StatementCounts[]>`
      ${WITH_KEPT}
      SELECT count(t.manifest)::int AS signed, count(t.left_out)::int AS "leftOut",
             count(t.error)::int AS failed, count(*) FILTER (WHERE ${IS_DUE})::int AS due
        FROM ${KEPT}`,
  );
  return row ?? { signed: 0, leftOut: 0, failed: 0, due: 0 };
}

/** By kind, and the newest promotion first. Without those that were never written. */
function ofImage(
  db: Database,
  { repository, digest }: Pick<StatementKey, 'repository' | 'digest'>,
): Promise<ImageStatement[]> {
  return run(
    () => db.$queryRaw<ImageStatement[]>`
      SELECT kind, NULLIF(about, '') AS about, manifest AS digest, key_id AS "keyId",
             signed_at AS "signedAt", left_out AS "leftOut", error
        FROM image_statements
       WHERE repository = ${repository} AND digest = ${digest}
         AND (manifest IS NOT NULL OR left_out IS NOT NULL OR error IS NOT NULL)
       ORDER BY array_position(${[...STATEMENT_KINDS]}, kind), signed_at DESC NULLS LAST, about`,
  );
}

type ClaimedRow = Omit<ClaimedStatement, keyof StatementKey | 'wanted'>;
type WantedRow = Omit<WantedStatement, 'stated'> & { facts: { at: string } };

/** What is wanted is read after the claim: the worker states what holds then. */
async function claim(db: Database, place: StatementKey): Promise<ClaimedStatement | null> {
  const { repository, digest, kind, about } = place;
  const [claimed] = await run(
    () => db.$queryRaw<ClaimedRow[]>`
      INSERT INTO image_statements AS t (repository, digest, kind, about, attempts, lease_until)
      VALUES (${repository}, ${digest}, ${kind}, ${about}, 1, ${WRITING})
      ON CONFLICT (repository, digest, kind, about) DO UPDATE
        SET attempts = t.attempts + 1, lease_until = excluded.lease_until
      WHERE t.lease_until IS NULL OR t.lease_until < now()
      RETURNING attempts, says, manifest, key_id AS "keyId", leftover`,
  );
  if (!claimed) return null;
  const [found] = await run(
    () => db.$queryRaw<WantedRow[]>`
      SELECT folder, says, media_type AS "mediaType", size, is_tagged AS "isTagged", facts
        FROM ${WANTED_STATEMENTS} w
       WHERE repository = ${repository} AND digest = ${digest} AND kind = ${kind}
         AND about = ${about}`,
  );
  const wanted = found ? wantedOf(kind, found) : null;
  return { ...place, ...claimed, wanted };
}

function wantedOf(kind: StatementKind, { facts, ...row }: WantedRow): WantedStatement {
  const stated = { kind, facts: { ...facts, at: new Date(facts.at) } };
  // Its query selects the facts of the kind.
  return { ...row, stated: stated as WantedStatement['stated'] };
}

function ownRow({ repository, digest, kind, about, attempts }: ClaimedStatement): Prisma.Sql {
  return Prisma.sql`repository = ${repository} AND digest = ${digest} AND kind = ${kind}
    AND about = ${about} AND attempts = ${attempts}`;
}

async function update(
  db: Pick<Database, '$executeRaw'>,
  claimed: ClaimedStatement,
  set: Prisma.Sql,
): Promise<boolean> {
  const written = await run(
    () => db.$executeRaw`UPDATE image_statements SET ${set} WHERE ${ownRow(claimed)}`,
  );
  return written === 1;
}
