/** When tags of a mirror are due after a change of its folder. */
import type { MirrorSettings } from '@portcullis/domain/mirror';
import { type Connection, run } from '../database.ts';

type Upstream = Pick<MirrorSettings, 'registryId' | 'prefix'>;

/** Call in the transaction of the change, before it. */
export async function upstreamOf(db: Connection, folderId: string): Promise<Upstream | null> {
  const select = { registryId: true, prefix: true } as const;
  return run(() => db.mirror.findUnique({ where: { folderId }, select }));
}

/**
 * No answer counts longer than the settings say now, also one whose check was put off because the
 * settings of before asked for none. What another upstream answered does not count at all.
 * @param before what `upstreamOf` returned before the change
 */
export async function makeDueAgain(
  db: Connection,
  folderId: string,
  before: Upstream | null,
): Promise<void> {
  const now = await upstreamOf(db, folderId);
  const isOther = before?.registryId !== now?.registryId || before?.prefix !== now?.prefix;
  await run(
    () => db.$executeRaw`
      UPDATE mirror_tags t
         SET due_at = least(t.due_at, CASE WHEN ${isOther} THEN now()
             ELSE t.checked_at + m.check_minutes * interval '1 minute' END)
        FROM mirrors m JOIN folders f ON f.id = m.folder_id
       WHERE m.folder_id = ${folderId}::uuid AND split_part(t.repository, '/', 1) = f.name`,
  );
}
