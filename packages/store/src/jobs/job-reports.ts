/** Stores reports in parts: a backup reads many rows at once, so each has to be small. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Connection, Database, Prisma } from '../database.ts';
import { isId, run } from '../database.ts';
import type { ReportFile } from './records.ts';

const PART_BYTES = 256 * 1024;
const PARTS_AT_ONCE = 16;
/** Reports reach hundreds of megabytes. */
const LONGEST_MS = 300_000;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export function createJobReports(db: Database) {
  return {
    /** Replaces all files; does nothing where the job no longer exists. */
    async replace(jobId: string, files: readonly ReportFile[]): Promise<void> {
      if (!isId(jobId)) return;
      await writing(db, jobId, async (tx) => {
        await tx.jobReport.deleteMany({ where: { jobId } });
        await insert(tx, jobId, files);
      });
    },
    /** Adds a file to the existing ones. */
    async add(jobId: string, file: ReportFile): Promise<void> {
      if (!isId(jobId)) return;
      await writing(db, jobId, async (tx) => {
        await tx.jobReport.deleteMany({ where: { jobId, name: file.name } });
        await insert(tx, jobId, [file]);
      });
    },
    names: async (jobId: string): Promise<Set<string>> =>
      (await namesOfAll(db, [jobId])).get(jobId) ?? new Set(),
    /** Of several jobs in one query; those without files are absent. */
    namesOfAll: (jobIds: readonly string[]) => namesOfAll(db, jobIds),
    /**
     * Streams the parts, so that memory holds one at a time. Yields nothing where the file does not
     * exist.
     */
    read: (jobId: string, name: string) => read(db, jobId, name),
    /** Which of the jobs have reports. */
    async existing(jobIds: readonly string[]): Promise<Set<string>> {
      const where = { jobId: { in: jobIds.filter(isId) } };
      const rows = await run(() =>
        db.jobReport.findMany({ where, distinct: 'jobId', select: { jobId: true } }),
      );
      return new Set(rows.map(({ jobId }) => jobId));
    },
  };
}

async function namesOfAll(
  db: Database,
  jobIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const where = { jobId: { in: jobIds.filter(isId) }, part: 0 };
  const rows = await run(() =>
    db.jobReport.findMany({ where, select: { jobId: true, name: true } }),
  );
  const found = Map.groupBy(rows, ({ jobId }) => jobId);
  return new Map([...found].map(([id, files]) => [id, new Set(files.map(({ name }) => name))]));
}

/** Serialises writers of one job; does nothing where the job no longer exists. */
function writing(
  db: Database,
  jobId: string,
  work: (tx: Connection) => Promise<void>,
): Promise<void> {
  return run(() =>
    db.$transaction(
      async (tx) => {
        // The job cannot be deleted until the transaction ends; its other columns may change.
        const job = await tx.$queryRaw<unknown[]>`
          WITH writing AS MATERIALIZED (
            SELECT pg_advisory_xact_lock(hashtext(${`report ${jobId}`})))
          SELECT 1 FROM writing, staging_jobs WHERE id = ${jobId}::uuid
             FOR KEY SHARE OF staging_jobs`;
        if (job.length > 0) await work(tx);
      },
      { timeout: LONGEST_MS },
    ),
  );
}

async function insert(tx: Connection, jobId: string, files: readonly ReportFile[]): Promise<void> {
  let parts: Prisma.JobReportCreateManyInput[] = [];
  for await (const part of partsOf(jobId, files)) {
    parts.push(part);
    if (parts.length < PARTS_AT_ONCE) continue;
    await tx.jobReport.createMany({ data: parts });
    parts = [];
  }
  if (parts.length > 0) await tx.jobReport.createMany({ data: parts });
}

/** An empty file has an empty part. */
async function* partsOf(
  jobId: string,
  files: readonly ReportFile[],
): AsyncGenerator<Prisma.JobReportCreateManyInput> {
  for (const { name, content } of files) {
    let part = 0;
    for await (const bytes of inParts(content)) {
      yield { jobId, name, part, content: Uint8Array.from(await compress(bytes)) };
      part += 1;
    }
  }
}

async function* inParts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  let isFirst = true;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + PART_BYTES - size);
      held.push(piece);
      size += piece.length;
      at += piece.length;
      if (size < PART_BYTES) continue;
      yield Buffer.concat(held);
      [held, size, isFirst] = [[], 0, false];
    }
  }
  if (size > 0 || isFirst) yield Buffer.concat(held);
}

async function* read(db: Database, jobId: string, name: string): AsyncGenerator<Buffer> {
  if (!isId(jobId)) return;
  for (let part = 0; ; part += 1) {
    const where = { jobId_name_part: { jobId, name, part } };
    const row = await run(() => db.jobReport.findUnique({ where, select: { content: true } }));
    if (!row) return;
    yield await decompress(row.content);
  }
}
