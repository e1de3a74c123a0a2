/** Which clusters have an agent that is silent: what it reported may have ended since. */
import { isSilent } from '@portcullis/domain/admission';
import { type Database, run } from '../database.ts';
import type { ReportedCluster } from './records.ts';

export async function silentClusters(db: Database): Promise<string[]> {
  const reported = await run(
    () => db.$queryRaw<ReportedCluster[]>`
      SELECT name, reported_at AS "reportedAt" FROM clusters WHERE reported_at IS NOT NULL`,
  );
  const now = new Date();
  return reported.flatMap(({ name, reportedAt }) => (isSilent(reportedAt, now) ? [name] : []));
}
