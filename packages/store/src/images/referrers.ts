import { type Database, Prisma, run } from '../database.ts';
import type { Referrer, Referrers } from '../port.ts';

export function createReferrers(db: Database): Referrers {
  return {
    async record({ annotations, ...rest }) {
      const { repository, digest } = rest;
      const data = { ...rest, annotations: listable(annotations) ?? Prisma.DbNull };
      const where = { repository_digest: { repository, digest } };
      await run(() => db.referrer.upsert({ where, create: data, update: data }));
    },
    async list({ repository, subject, artifactType, after, limit }) {
      const where = {
        repository,
        subject,
        ...(artifactType !== undefined && { artifactType }),
        ...(after !== undefined && { digest: { gt: after } }),
      };
      const rows = await run(() =>
        db.referrer.findMany({ where, orderBy: { digest: 'asc' }, take: limit }),
      );
      return rows.map((row) => ({ ...row, annotations: textsOf(row.annotations) }));
    },
    async remove(repository, digest) {
      await run(() => db.referrer.deleteMany({ where: { repository, digest } }));
    },
    async removeAll(repository, digests) {
      const where = { repository, digest: { in: [...digests] } };
      await run(() => db.referrer.deleteMany({ where }));
    },
    async removeRepository(repository) {
      await run(() => db.referrer.deleteMany({ where: { repository } }));
    },
  };
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
