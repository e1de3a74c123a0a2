/**
 * Where a vulnerability is: the tagged images that have it, each once, what the gate does with them
 * as it was announced last, and the images in staging.
 */
import { type GateExposure, SEVERITIES, type Severity } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { COUNTS, isOf, runningIn, toCounts } from '../clusters/list-running.ts';
import type { FoundRunning } from '../clusters/records.ts';
import { silentClusters } from '../clusters/silent-clusters.ts';
import { type Database, Prisma, run } from '../database.ts';
import { newestBypass } from '../images/gate-bypasses.ts';
import { cursorInvalid, isStorable, listIn, pageSize } from '../page.ts';
import type { AffectedImage, ExposureCount, ExposureFilter, StagedImage } from './records.ts';

const MOST_TAGS = 20;
const MOST_STAGED = 100;

export function createExposure(db: Database) {
  return {
    /** By repository; each image of a repository once, with all its packages. */
    images: (filter: ExposureFilter) => affected(db, filter),
    /** How many images and tags are in which state. */
    counts: (filter: Pick<ExposureFilter, 'id' | 'folders'>) => counts(db, filter),
    /** The images in staging that have it, the newest first: of one account, or all. */
    staged: (id: string, ownerId: string | null) => staged(db, id, ownerId),
  };
}

/** Tagged images with the vulnerability as `p`. */
function placed({ id, folders }: Pick<ExposureFilter, 'id' | 'folders'>): Prisma.Sql {
  return Prisma.sql`
    SELECT r.name AS repository, ${FOLDER} AS folder, t.digest, t.tags
      FROM (SELECT repository, digest, count(*)::int AS tags FROM local_tags
             WHERE digest IN (SELECT digest FROM image_findings WHERE vulnerability = ${id})
             GROUP BY repository, digest) t
      JOIN local_repositories r ON r.name = t.repository
     WHERE ${inFolders(folders)}`;
}

/** Over `image_standings s` and `folders f`. */
const STATE = Prisma.sql`
  CASE WHEN s.passes IS NULL THEN 'unjudged'
       WHEN s.passes AND s.waived THEN 'waived'
       WHEN s.passes THEN 'passing'
       WHEN f.pull_gate <> 'enforce' THEN f.pull_gate
       WHEN s.grace_until > now() THEN 'grace'
       ELSE 'refused' END`;

const JUDGED = Prisma.sql`
  LEFT JOIN image_standings s ON s.repository = p.repository AND s.digest = p.digest
  LEFT JOIN folders f ON f.name = p.folder`;

const BYPASS = newestBypass(Prisma.sql`p.repository`, Prisma.sql`p.digest`);

function counts(
  db: Database,
  filter: Pick<ExposureFilter, 'id' | 'folders'>,
): Promise<ExposureCount[]> {
  return run(
    () => db.$queryRaw<ExposureCount[]>`
      WITH p AS (${placed(filter)})
      SELECT ${STATE} AS state, count(*)::int AS images, sum(p.tags)::int AS tags,
             count(b.at)::int AS bypassed
        FROM p ${JUDGED} LEFT JOIN LATERAL (${BYPASS}) AS b ON TRUE GROUP BY 1 ORDER BY 1`,
  );
}

interface AffectedRow extends Omit<AffectedImage, 'packages' | 'letIn' | 'lastPull' | 'running'> {
  running: FoundRunning | null;
  packages: { name: string; installed: string; fixed: string | null; severity: Severity }[];
  letInBy: string | null;
  letInReason: string | null;
  letInAt: Date | null;
  pulledAt: Date | null;
  pulledBy: string | null;
}

async function affected(db: Database, { limit, cursor, ...filter }: ExposureFilter) {
  const size = pageSize(limit);
  const { folders } = filter;
  const silent = await silentClusters(db);
  const rows = await run(
    () => db.$queryRaw<AffectedRow[]>`
      WITH p AS (SELECT * FROM (${placed(filter)}) all_of_them WHERE ${after(cursor)}
                  ORDER BY repository, digest LIMIT ${size + 1})
      SELECT p.repository, p.folder, p.digest, p.tags AS "tagCount", ${STATE} AS state,
             coalesce(${filter.id} = ANY (s.blocking), FALSE) AS blocks,
             s.grace_until AS "graceUntil", i.scanned_at AS "scannedAt",
             (SELECT array_agg(named.tag) FROM
               (SELECT t.tag FROM local_tags t
                 WHERE t.repository = p.repository AND t.digest = p.digest
                 ORDER BY t.tag LIMIT ${MOST_TAGS}) named) AS tags,
             (SELECT json_agg(json_build_object('name', v.package, 'installed', v.installed_version,
                       'fixed', nullif(v.fixed_version, ''), 'severity', v.severity)
                       ORDER BY v.package, v.installed_version)
                FROM image_findings v
               WHERE v.digest = p.digest AND v.vulnerability = ${filter.id}) AS packages,
             b.by AS "letInBy", b.reason AS "letInReason", b.at AS "letInAt",
             (SELECT ${COUNTS} FROM (${runningIn({ folders, silent })}) ran
               WHERE ran.repository = p.repository
                 AND ${isOf(Prisma.sql`p.repository`, Prisma.sql`p.digest`)}) AS running,
             pulled.pulled_at AS "pulledAt", pulled.pulled_by AS "pulledBy"
        FROM p ${JUDGED}
        JOIN image_reports i ON i.digest = p.digest
        LEFT JOIN image_pulls pulled ON pulled.digest = p.digest
        LEFT JOIN LATERAL (${BYPASS}) AS b ON TRUE
       ORDER BY p.repository, p.digest`,
  );
  const items = rows.slice(0, size).map(toAffected);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > size && last ? encode(last) : null };
}

function toAffected(row: AffectedRow): AffectedImage {
  const {
    packages,
    letInBy: by,
    letInReason: reason,
    letInAt,
    pulledAt,
    pulledBy,
    running,
    ...image
  } = row;
  return {
    ...image,
    state: image.state satisfies GateExposure,
    packages: packages.map(({ name, installed: installedVersion, fixed, severity }) => ({
      ...{ name, installedVersion, fixedVersion: fixed },
      severity: SEVERITIES.find((each) => each === severity) ?? 'UNKNOWN',
    })),
    letIn: letInAt && { by, reason, at: letInAt },
    running: toCounts(running),
    lastPull: pulledAt && { at: pulledAt, by: pulledBy },
  };
}

function staged(db: Database, id: string, ownerId: string | null): Promise<StagedImage[]> {
  const own = ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`j.owner_id = ${ownerId}::uuid`;
  return run(
    () => db.$queryRaw<StagedImage[]>`
      SELECT j.id::text AS "jobId", j.image, j.tag, j.digest, u.username AS owner,
             j.created_at AS "createdAt", (count(*) OVER ())::int AS "all"
        FROM staging_jobs j JOIN users u ON u.id = j.owner_id
       WHERE j.status = 'staged' AND ${own}
         AND j.digest IN (SELECT digest FROM image_findings WHERE vulnerability = ${id})
       ORDER BY j.created_at DESC, j.id DESC LIMIT ${MOST_STAGED}`,
  );
}

function encode({ repository, digest }: AffectedImage): string {
  return Buffer.from(JSON.stringify([repository, digest])).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
function after(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`TRUE`;
  const [repository, digest, ...more] = listIn(cursor);
  if (!isText(repository) || !isText(digest) || more.length > 0) throw cursorInvalid();
  return Prisma.sql`(repository, digest) > (${repository}, ${digest})`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}
