/** Judged jobs of the repository of a job: the one that it is compared with, and its other tags. */
import { type JobSource, LOCAL_REGISTRY_ID, type StagingJob } from '@portcullis/domain';
import { type Database, Prisma, run } from '../../database.ts';
import { fromRaw, JOB_COLUMNS, type RawRow } from '../job-row.ts';

export function previousScanned(
  db: Database,
  job: StagingJob,
  ownerId: string | null,
): Promise<StagingJob | null> {
  return newestOlder(db, job, { ownerId, tag: Prisma.sql`job.tag = ${job.tag}` });
}

export function previousTagScanned(
  db: Database,
  job: StagingJob,
  ownerId: string | null,
): Promise<StagingJob | null> {
  return newestOlder(db, job, { ownerId, tag: Prisma.sql`job.tag <> ${job.tag}` });
}

async function newestOlder(
  db: Database,
  { id, image, source, platforms, createdAt }: StagingJob,
  { ownerId, tag }: { ownerId: string | null; tag: Prisma.Sql },
): Promise<StagingJob | null> {
  const selected = platforms === 'all' ? null : JSON.stringify(platforms);
  const owned = ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`job.owner_id = ${ownerId}::uuid`;
  const [row] = await run(
    () => db.$queryRaw<RawRow[]>`
      SELECT ${JOB_COLUMNS} FROM staging_jobs AS job JOIN users AS owner ON owner.id = job.owner_id
       WHERE job.image = ${image} AND ${tag} AND ${isFrom(source)} AND ${owned}
         AND job.platforms IS NOT DISTINCT FROM ${selected}::jsonb
         AND (job.created_at, job.id) < (${createdAt}, ${id}::uuid)
         AND job.vuln_result ->> 'enabled' = 'true' AND job.vuln_result ->> 'coverage' <> 'none'
       ORDER BY job.created_at DESC, job.id DESC LIMIT 1`,
  );
  return row ? fromRaw(row) : null;
}

/** Of other tags of the repository, the newest first, each with its newest judged job. */
export async function judgedTags(
  db: Database,
  { image, tag, source, platforms }: StagingJob,
  { ownerId, most }: { ownerId: string | null; most: number },
): Promise<Pick<StagingJob, 'id' | 'tag'>[]> {
  const selected = platforms === 'all' ? null : JSON.stringify(platforms);
  const owned = ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`job.owner_id = ${ownerId}::uuid`;
  return run(
    () => db.$queryRaw<Pick<StagingJob, 'id' | 'tag'>[]>`
      SELECT id, tag FROM (
        SELECT DISTINCT ON (tag) id, tag, created_at FROM staging_jobs AS job
         WHERE job.image = ${image} AND job.tag <> ${tag} AND ${isFrom(source)} AND ${owned}
           AND job.platforms IS NOT DISTINCT FROM ${selected}::jsonb AND job.digest IS NOT NULL
           AND job.vuln_result ->> 'enabled' = 'true'
         ORDER BY tag, created_at DESC, id DESC) AS newest
       ORDER BY created_at DESC, id DESC LIMIT ${most}`,
  );
}

/** The same registry; the host of the built-in one may have changed. */
function isFrom({ registryId, host }: JobSource): Prisma.Sql {
  return registryId === LOCAL_REGISTRY_ID
    ? Prisma.sql`job.source ->> 'registryId' = ${registryId}`
    : Prisma.sql`job.source ->> 'host' = ${host}`;
}
