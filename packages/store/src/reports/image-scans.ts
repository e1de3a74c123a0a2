/**
 * Scans on demand. A worker claims one by raising `attempts`; a write with an older number changes
 * nothing.
 */

import type { AuditEvent, CoverageGap } from '@portcullis/domain';
import { requestIdNow } from '@portcullis/runtime';
import { withEvent } from '../audit/outbox.ts';
import type { Database } from '../database.ts';
import { isId, Prisma, run, write } from '../database.ts';
import type { ImageScan as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import { LEASE } from '../lease.ts';
import type { Page } from '../page.ts';
import { decodeCursor, encodeCursor, pageSize } from '../page.ts';
import type { DueScan, ImageScan, ScanFilter } from './records.ts';

const WITH_ACCOUNT = { requestedBy: { select: { username: true } } } as const;
const DUE = Prisma.sql`((state = 'queued' AND (not_before IS NULL OR not_before <= now()))
  OR (state = 'running' AND lease_until < now()))`;
const OPEN = { in: ['queued', 'running'] };

export function createImageScans(db: Database) {
  return {
    /** `done`: the digest already has a report. */
    async insert(
      scan: Pick<
        ImageScan,
        'registryId' | 'repository' | 'reference' | 'digest' | 'requestedById'
      > & {
        state: 'queued' | 'done';
      },
    ): Promise<ImageScan> {
      const data = {
        ...scan,
        requestId: requestIdNow(),
        ...(scan.state === 'done' && { finishedAt: new Date() }),
      };
      const missing: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
      return toScan(
        await write({ missing }, () => db.imageScan.create({ data, include: WITH_ACCOUNT })),
      );
    },
    find: (id: string) => find(db, id),
    /** A scan of the same image by the same account that has not ended. */
    async findOpen({
      registryId,
      repository,
      digest,
      requestedById,
    }: Pick<
      ImageScan,
      'registryId' | 'repository' | 'digest' | 'requestedById'
    >): Promise<ImageScan | null> {
      const where = { registryId, repository, digest, requestedById, state: OPEN };
      const row = await run(() => db.imageScan.findFirst({ where, include: WITH_ACCOUNT }));
      return row && toScan(row);
    },
    /** Newest first. */
    list: (filter: ScanFilter) => list(db, filter),
    /** Scans that a worker may claim, the oldest thousand. */
    due: (): Promise<DueScan[]> =>
      run(
        () => db.$queryRaw<Pick<ImageScan, 'id' | 'attempts'>[]>`
          SELECT id::text, attempts FROM image_scans WHERE ${DUE} ORDER BY created_at LIMIT 1000`,
      ),
    /**
     * The oldest scan that may begin, or whose worker is dead. `attempts` fences every later write.
     */
    claim: () => claim(db),
    async renew(id: string, attempts: number): Promise<boolean> {
      const written = await run(
        () => db.$executeRaw`
          UPDATE image_scans SET lease_until = ${LEASE}
           WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'running'`,
      );
      return written === 1;
    },
    async finish(
      id: string,
      attempts: number,
      { error, event }: { error: ImageScan['error']; event?: AuditEvent },
    ): Promise<boolean> {
      const data = {
        state: error ? 'failed' : 'done',
        error: error ? json(error) : Prisma.DbNull,
        finishedAt: new Date(),
        leaseUntil: null,
      };
      const where = running(id, attempts);
      return withEvent(
        db,
        event,
        async (tx) => (await tx.imageScan.updateMany({ where, data })).count === 1,
      );
    },
    /**
     * Requeues, with all tries, the newest scan of each image that ended in the last week, if its
     * report has this gap and is older than the date.
     */
    requeue: (gap: CoverageGap['kind'], before: Date): Promise<DueScan[]> =>
      run(
        () => db.$queryRaw<Pick<ImageScan, 'id' | 'attempts'>[]>`
          UPDATE image_scans SET state = 'queued', error = NULL, finished_at = NULL, tries = 0, not_before = NULL
           WHERE id IN (
             SELECT DISTINCT ON (s.registry_id, s.repository, s.digest) s.id
               FROM image_scans s JOIN image_reports i ON i.digest = s.digest
              WHERE s.state = 'done' AND ${gap} = ANY (i.gaps) AND i.scanned_at < ${before}
                AND s.created_at > now() - interval '7 days'
              ORDER BY s.registry_id, s.repository, s.digest, s.created_at DESC)
          RETURNING id::text, attempts`,
      ),
    /** Requeues a scan, at once or after a pause. */
    async release(
      id: string,
      attempts: number,
      { seconds, uncounted = false }: { seconds: number; uncounted?: boolean } = {
        seconds: 0,
        uncounted: true,
      },
    ): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE image_scans
             SET state = 'queued', lease_until = NULL, not_before = now() + make_interval(secs => ${seconds}::float8),
                 tries = tries - ${uncounted ? 1 : 0}::int
           WHERE id = ${id}::uuid AND attempts = ${attempts} AND state = 'running'`,
      );
    },
  };
}

function running(id: string, attempts: number) {
  return { id, attempts, state: 'running' };
}

async function find(db: Database, id: string): Promise<ImageScan | null> {
  if (!isId(id)) return null;
  const row = await run(() => db.imageScan.findUnique({ where: { id }, include: WITH_ACCOUNT }));
  return row && toScan(row);
}

async function list(
  db: Database,
  { registryId, repository, isOpen = false, limit, cursor }: ScanFilter,
): Promise<Page<ImageScan>> {
  const size = pageSize(limit);
  const begin = cursor === undefined ? null : decodeCursor(cursor);
  const where = { registryId, repository, ...(isOpen && { state: OPEN }) };
  const after = begin && {
    OR: [{ createdAt: { lt: begin.at } }, { createdAt: begin.at, id: { lt: begin.id } }],
  };
  const [rows, total] = await run(() =>
    Promise.all([
      db.imageScan.findMany({
        where: { ...where, ...after },
        include: WITH_ACCOUNT,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: size + 1,
      }),
      db.imageScan.count({ where }),
    ]),
  );
  const items = rows.slice(0, size).map(toScan);
  const last = items.at(-1);
  return {
    items,
    total,
    nextCursor: rows.length > size && last ? encodeCursor(last.createdAt, last.id) : null,
  };
}

/** The accounts take turns: first the one with the fewest scans in the last minutes. */
async function claim(db: Database): Promise<ImageScan | null> {
  const [taken] = await run(
    () => db.$queryRaw<{ id: string }[]>`
      UPDATE image_scans
         SET state = 'running', attempts = attempts + 1, tries = tries + 1, lease_until = ${LEASE}
       WHERE id = (SELECT id
                     FROM image_scans s
                     LEFT JOIN (SELECT requested_by_id AS account, count(*) AS scans
                                  FROM image_scans
                                 WHERE state = 'running'
                                    OR finished_at > now() - interval '10 minutes'
                                 GROUP BY requested_by_id) recent
                            ON recent.account = s.requested_by_id
                    WHERE ${DUE}
                    ORDER BY COALESCE(recent.scans, 0), created_at
                    LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
      RETURNING id`,
  );
  return taken ? find(db, taken.id) : null;
}

/** The JSON column contains what this file wrote. */
function toScan({
  leaseUntil: _lease,
  notBefore: _pause,
  requestedBy,
  ...row
}: Row & { requestedBy: { username: string } }) {
  return { ...row, requestedBy: requestedBy.username } as unknown as ImageScan;
}
