/** Jobs as rows of the database: many at once, in states that pulls would take long to reach. */
import { openSql } from '@portcullis/testing';
import type { Product } from './product.ts';

export interface SeededJobs {
  owner: string;
  count: number;
  image?: string;
  status?: 'staged' | 'failed' | 'cancelled' | 'pushed';
  verdict?: 'clean' | 'findings' | 'blocked' | 'error' | 'pending';
  daysAgo?: number;
}

const NO_PROGRESS = {
  phase: 'done',
  bytesDone: 0,
  bytesTotal: 0,
  blobsDone: 0,
  blobsTotal: 0,
  bytesReused: 0,
  rate: 0,
};
const SOURCE = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' };
const LOST = { code: 'IMAGE_UNKNOWN', message: 'There is no such image.', retryable: false };

/** Their tags are their numbers, and a later one is a second younger. */
export async function seedJobs(product: Product, ...batches: SeededJobs[]): Promise<void> {
  const sql = await openSql(await product.databaseUrl());
  try {
    for (const batch of batches) {
      const { owner, count, image = 'acme/app', daysAgo = 0 } = batch;
      const { status = 'staged', verdict = status === 'failed' ? 'pending' : 'clean' } = batch;
      await sql.query(
        `INSERT INTO staging_jobs (id, owner_id, status, verdict, image, tag, source, progress, overrides, error,
                                   created_at, updated_at, finished_at)
         SELECT gen_random_uuid(), users.id, $3, $4, $5, n::text, $6, $7, '{"vulnScanEnabled":null,"vulnSeverities":null}', $8,
                at, at, at
           FROM users, generate_series(1, $2::int) n,
                LATERAL (SELECT now() - $9 * interval '1 day' - interval '1 hour' + n * interval '1 second' AS at) t
          WHERE username = $1`,
        [
          ...[owner, count, status, verdict, image],
          ...[SOURCE, NO_PROGRESS, status === 'failed' ? LOST : null, daysAgo],
        ],
      );
    }
  } finally {
    await sql.end();
  }
}
