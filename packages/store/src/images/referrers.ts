/** Stores which manifests refer to which. */
import { type Database, Prisma, run } from '../database.ts';
import type { Referrer, ReferrerFilter } from './records.ts';

export function createReferrers(db: Database) {
  return {
    /** Recording the same manifest again changes nothing. */
    async record(referrer: Referrer): Promise<void> {
      const { repository, digest } = referrer;
      const data = referrerRow(referrer);
      const where = { repository_digest: { repository, digest } };
      await run(() => db.referrer.upsert({ where, create: data, update: data }));
    },
    /** Sorted by digest. */
    async list({
      repository,
      subject,
      artifactType,
      after,
      limit,
    }: ReferrerFilter): Promise<Referrer[]> {
      const where = {
        repository,
        subject,
        ...(artifactType !== undefined && { artifactType }),
        ...(after !== undefined && { digest: { gt: after } }),
      };
      const rows = await run(() =>
        db.referrer.findMany({
          where,
          orderBy: { digest: 'asc' },
          ...(limit !== undefined && { take: limit }),
        }),
      );
      return rows.map((row) => ({ ...row, annotations: textsOf(row.annotations) }));
    },
    /** Removes a deleted manifest; one without a subject was never recorded. */
    async remove(repository: string, digest: string): Promise<void> {
      await run(() => db.referrer.deleteMany({ where: { repository, digest } }));
    },
    async removeRepository(repository: string): Promise<void> {
      await run(() => db.referrer.deleteMany({ where: { repository } }));
    },
  };
}

export function referrerRow({ annotations, ...rest }: Referrer): Prisma.ReferrerCreateManyInput {
  return { ...rest, annotations: listable(annotations) ?? Prisma.DbNull };
}

/** A page of a list reads a hundred of them. */
const MOST_ANNOTATION_BYTES = 64 * 1024;

/** Annotations that are too long for a list are left out: the manifest has them. */
function listable(annotations: Referrer['annotations']): Referrer['annotations'] {
  const bytes = Buffer.byteLength(JSON.stringify(annotations));
  return bytes <= MOST_ANNOTATION_BYTES ? annotations : null;
}

/** Contains what `record` wrote: an object of strings. */
function textsOf(value: Prisma.JsonValue): Referrer['annotations'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const pairs = Object.entries(value).map(([name, text]): [string, string] => [name, String(text)]);
  return Object.fromEntries(pairs);
}
