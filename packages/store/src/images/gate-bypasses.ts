/** Pushes of jobs that the policy blocked and that a privilege allowed anyway. */
import { type Database, Prisma, run } from '../database.ts';
import type { GateBypass } from './records.ts';

/** The newest such push of a digest into a repository: `by`, `reason`, `at`, `code` and `tag`. */
export function newestBypass(repository: Prisma.Sql, digest: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT push ->> 'requestedBy' AS by, push -> 'bypass' ->> 'reason' AS reason,
           (push ->> 'finishedAt')::timestamptz AS at, push ->> 'bypassed' AS code,
           push ->> 'tag' AS tag
      FROM staging_jobs job CROSS JOIN jsonb_array_elements(job.pushes) push
     WHERE job.digest = ${digest} AND push ->> 'kind' = 'local'
       AND push ->> 'repository' = ${repository} AND push ->> 'status' = 'done'
       AND push ->> 'bypassed' IS NOT NULL
     ORDER BY at DESC LIMIT 1`;
}

export async function bypassesOf(
  db: Database,
  images: readonly { repository: string; digest: string }[],
): Promise<(GateBypass & { repository: string; digest: string })[]> {
  const newest = newestBypass(Prisma.sql`pushed.repository`, Prisma.sql`pushed.digest`);
  const repositories = images.map(({ repository }) => repository);
  const digests = images.map(({ digest }) => digest);
  return run(
    () => db.$queryRaw<(GateBypass & { repository: string; digest: string })[]>`
      SELECT pushed.repository, pushed.digest, bypass.by, bypass.reason, bypass.at, bypass.code
        FROM unnest(${repositories}::text[], ${digests}::text[]) AS pushed (repository, digest)
       CROSS JOIN LATERAL (${newest}) AS bypass`,
  );
}
