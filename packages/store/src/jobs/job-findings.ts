/** The findings of many jobs as far as a policy judges them: texts and links may be megabytes. */
import type { VulnResult } from '@portcullis/domain';
import { type Database, isId, run } from '../database.ts';

interface Row {
  id: string;
  findings: VulnResult['vulnerabilities'];
}

/** By job; those without a report are absent. */
export async function judgedFindings(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, VulnResult['vulnerabilities']>> {
  if (ids.length === 0) return new Map();
  const rows = await run(
    () => db.$queryRaw<Row[]>`
      SELECT job.id::text,
             (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'id', found -> 'id', 'severity', found -> 'severity',
                       'publishedAt', found -> 'publishedAt',
                       'packages',
                         (SELECT jsonb_agg(jsonb_build_object(
                                   'name', each -> 'name', 'severity', each -> 'severity',
                                   'installedVersion', each -> 'installedVersion',
                                   'fixedVersion', each -> 'fixedVersion',
                                   'packageType', each -> 'packageType'))
                            FROM jsonb_array_elements(found -> 'packages') AS each))), '[]')
                FROM jsonb_array_elements(job.findings) AS found) AS findings
        FROM staging_jobs AS job
       WHERE job.id = ANY (${ids.filter(isId)}::uuid[]) AND jsonb_typeof(job.findings) = 'array'`,
  );
  return new Map(rows.map(({ id, findings }) => [id, findings]));
}
