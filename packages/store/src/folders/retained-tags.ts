/** Reads the tags of a folder's repositories, page by page, for its retention rule. */
import type { RetainedTag } from '@portcullis/domain/retention';
import { inFolders } from '../accounts/folder-filter.ts';
import { type Database, run } from '../database.ts';
import type { RetainedRepository } from './records.ts';

const REPOSITORIES = 100;
const TAGS = 5_000;

/** Memory holds a page of tags and the tags of one repository. */
export async function* retainedRepositories(
  db: Database,
  folder: string,
  after: string | null,
): AsyncGenerator<RetainedRepository> {
  for (let last = after; ; ) {
    const names = await namesAfter(db, folder, last);
    yield* withTags(db, names);
    last = names.at(-1) ?? null;
    if (last === null || names.length < REPOSITORIES) return;
  }
}

async function namesAfter(db: Database, folder: string, after: string | null): Promise<string[]> {
  const rows = await run(
    () => db.$queryRaw<{ name: string }[]>`
      SELECT r.name FROM local_repositories r
       WHERE r.tag_count > 0 AND ${inFolders([folder])} AND r.name > ${after ?? ''}
       ORDER BY r.name LIMIT ${REPOSITORIES}`,
  );
  return rows.map(({ name }) => name);
}

type Row = RetainedTag & { repository: string };

async function* withTags(db: Database, names: string[]): AsyncGenerator<RetainedRepository> {
  let open: RetainedRepository = { repository: '', tags: [] };
  for await (const { repository, ...tag } of everyTag(db, names)) {
    if (open.repository !== repository) {
      if (open.tags.length > 0) yield open;
      open = { repository, tags: [] };
    }
    open.tags.push(tag);
  }
  if (open.tags.length > 0) yield open;
}

/** The tags of the repositories, ordered by repository. */
async function* everyTag(db: Database, names: string[]): AsyncGenerator<Row> {
  let last: Pick<Row, 'repository' | 'tag'> = { repository: '', tag: '' };
  for (;;) {
    const { repository, tag } = last;
    const rows = await run(
      () => db.$queryRaw<Row[]>`
        SELECT t.repository, t.tag, t.digest, t.updated_at AS "updatedAt", t.found FROM local_tags t
         WHERE t.repository = ANY (${names}::text[])
           AND (t.repository, t.tag) > (${repository}::text, ${tag}::text)
         ORDER BY t.repository, t.tag LIMIT ${TAGS}`,
    );
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < TAGS) return;
    last = end;
  }
}

const TAG = { tag: true, digest: true, updatedAt: true, found: true } as const;

export function tagsOf(db: Database, repository: string): Promise<RetainedTag[]> {
  return run(() => db.localTag.findMany({ where: { repository }, select: TAG }));
}

export function findTag(db: Database, repository: string, tag: string) {
  const where = { repository_tag: { repository, tag } };
  return run(() => db.localTag.findUnique({ where, select: TAG }));
}

export async function childrenOf(db: Database, repository: string): Promise<Map<string, string[]>> {
  const rows = await run(
    () => db.$queryRaw<{ parent: string; digests: string[] }[]>`
      SELECT parent, array_agg(digest) AS digests FROM local_contents
       WHERE repository = ${repository} AND is_manifest GROUP BY parent`,
  );
  return new Map(rows.map(({ parent, digests }) => [parent, digests]));
}
