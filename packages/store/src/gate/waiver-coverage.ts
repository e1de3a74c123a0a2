/** The findings of tagged images in the built-in registry that a waiver covers today. */
import { matchesPath, type Severity, type WaiverScope } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import type { ImageFinding } from '../reports/records.ts';
import type { WaiverCoverage } from './records.ts';

interface Asked {
  scope: WaiverScope;
  folders: 'all' | readonly string[];
  limit: number;
}

export async function coverage(
  db: Database,
  { scope, folders, limit }: Asked,
): Promise<WaiverCoverage> {
  const places = imagesIn(scope, folders);
  // The pattern is matched here, by the function that the gate uses.
  const names = (await repositories(db, places)).filter(
    (name) => scope.repository === null || matchesPath(scope.repository, name),
  );
  const matching = Prisma.sql`${places} AND r.name = ANY(${names})`;
  const [[counted], items] = await run(() =>
    Promise.all([
      db.$queryRaw<{ images: bigint; findings: bigint }[]>`
        SELECT count(DISTINCT (r.name, f.digest)) AS images, count(*) AS findings ${matching}`,
      db.$queryRaw<(Omit<ImageFinding, 'severity'> & { severity: string })[]>`
        SELECT r.name AS repository, ${FOLDER} AS folder, f.digest,
               (SELECT array_agg(named.tag) FROM
                 (SELECT tag FROM local_tags WHERE repository = r.name AND digest = f.digest
                   ORDER BY tag LIMIT 20) named) AS tags,
               (SELECT count(*)::int FROM local_tags
                 WHERE repository = r.name AND digest = f.digest) AS "tagCount",
               f.vulnerability, f.severity, f.package, f.installed_version AS "installedVersion",
               f.fixed_version AS "fixedVersion", i.scanned_at AS "scannedAt" ${matching}
         ORDER BY r.name, f.digest, f.package, f.installed_version LIMIT ${limit}`,
    ]),
  );
  return {
    images: Number(counted?.images ?? 0),
    findings: Number(counted?.findings ?? 0),
    items: items.map(({ severity, ...item }) => ({ ...item, severity: severity as Severity })),
  };
}

async function repositories(db: Database, places: Prisma.Sql): Promise<string[]> {
  const rows = await run(
    () => db.$queryRaw<{ name: string }[]>`SELECT DISTINCT r.name ${places} ORDER BY r.name`,
  );
  return rows.map(({ name }) => name);
}

function imagesIn(scope: WaiverScope, folders: Asked['folders']): Prisma.Sql {
  const conditions = [
    Prisma.sql`f.vulnerability = ${scope.vulnerability}`,
    inFolders(folders),
    ...(scope.package === null ? [] : [Prisma.sql`f.package = ${scope.package}`]),
    ...(scope.packageVersion === null
      ? []
      : [Prisma.sql`f.installed_version = ${scope.packageVersion}`]),
    ...(scope.digest === null ? [] : [Prisma.sql`f.digest = ${scope.digest}`]),
    ...(scope.folder === null ? [] : [inFolders([scope.folder])]),
  ];
  return Prisma.sql`
    FROM image_findings f
    JOIN image_reports i ON i.digest = f.digest
    JOIN (SELECT DISTINCT repository, digest FROM local_tags) t ON t.digest = f.digest
    JOIN local_repositories r ON r.name = t.repository
   WHERE ${Prisma.join(conditions, ' AND ')}`;
}
