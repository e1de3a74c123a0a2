/** Where an account pulled or pushed to last. */
import type { JobDestination, Push } from '@portcullis/domain';
import { type Database, isId, run } from '../database.ts';

/** Older jobs say little of where the next image goes. */
const MOST_JOBS = 50;

type StoredDestination =
  | JobDestination
  | Pick<Push, 'kind' | 'registryId' | 'host' | 'repository' | 'tag'>;

/**
 * The newest choice among the newest jobs of the account, apart from those of transfers; null where
 * it chose none.
 */
export async function lastDestination(
  db: Database,
  ownerId: string,
): Promise<StoredDestination | null> {
  if (!isId(ownerId)) return null;
  const [row] = await run(
    () => db.$queryRaw<{ place: StoredDestination }[]>`
      SELECT chosen.place
        FROM (SELECT id, destination, pushes, created_at FROM staging_jobs
               WHERE owner_id = ${ownerId}::uuid AND transfer_id IS NULL
               ORDER BY created_at DESC, id DESC LIMIT ${MOST_JOBS}) AS job,
             LATERAL (SELECT job.destination AS place, job.created_at AS at
                       WHERE jsonb_typeof(job.destination) = 'object'
                      UNION ALL
                      SELECT push, (push ->> 'createdAt')::timestamptz
                        FROM jsonb_array_elements(job.pushes) AS push
                       WHERE push ->> 'requestedById' = ${ownerId}
                         AND push ->> 'kind' <> 'host') AS chosen
       ORDER BY chosen.at DESC LIMIT 1`,
  );
  return row?.place ?? null;
}
