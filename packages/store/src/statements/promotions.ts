/**
 * Stores what jobs pushed into the built-in registry, longer than the jobs: it is stated of the
 * images.
 */
import { promotionOf, type StagingJob, storableJson } from '@portcullis/domain';
import { type Database, Prisma, run } from '../database.ts';

/** A schedule may push one image each hour, and readers read a limited number of statements. */
const KEPT = 10;

/** Parts of the statement that saves a job: none where it did not push. */
export function insertPromotion(job: StagingJob, fromSaved: Prisma.Sql): Prisma.Sql {
  const push = job.status === 'pushed' ? job.pushes.at(-1) : undefined;
  const promotion = push && promotionOf(job, push);
  if (!push || !promotion || push.digest === null) return Prisma.empty;
  const { repository, digest, id } = push;
  const { at } = promotion;
  return Prisma.sql`
    , promoted AS (
        INSERT INTO image_promotions (repository, digest, push_id, promoted_at, facts)
        SELECT ${repository}, ${digest}, ${id}::uuid, ${at}, ${storableJson(promotion)}::jsonb
          ${fromSaved}
        ON CONFLICT DO NOTHING
    ), forgotten AS (
        DELETE FROM image_promotions
         WHERE repository = ${repository} AND digest = ${digest} AND push_id IN (
           SELECT push_id FROM image_promotions
            WHERE repository = ${repository} AND digest = ${digest} AND push_id <> ${id}::uuid
            ORDER BY promoted_at DESC, push_id OFFSET ${KEPT - 1}))`;
}

export function createPromotions(db: Database) {
  return {
    /** Removes those of images that are not in their repository any more. Returns how many. */
    removeUnused: (before: Date): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM image_promotions p
           WHERE p.promoted_at < ${before}
             AND NOT EXISTS (SELECT FROM local_manifests m
                              WHERE m.repository = p.repository AND m.digest = p.digest)`,
      ),
  };
}
