/** Stores since when an image passed or was blocked in a folder. */
import type { PassRecord } from '@portcullis/domain';
import { type Database, run } from '../database.ts';
import { ROOT } from '../images/image-index.ts';
import type { FolderPassRecord } from './records.ts';

export function createPassRecords(db: Database) {
  return {
    async find(folder: string, digest: string): Promise<PassRecord | null> {
      const row = await run(() =>
        db.passRecord.findFirst({
          where: { digest, folder: { name: folder } },
          select: { passedAt: true, blockedAt: true },
        }),
      );
      return row;
    },
    async listByDigests(digests: readonly string[]): Promise<FolderPassRecord[]> {
      const rows = await run(() =>
        db.passRecord.findMany({
          where: { digest: { in: [...digests] } },
          select: {
            digest: true,
            passedAt: true,
            blockedAt: true,
            folder: { select: { name: true } },
          },
        }),
      );
      return rows.map(({ folder, ...rest }) => ({ ...rest, folder: folder.name }));
    },
    /** Does nothing for a folder that does not exist. */
    async save({ folder, digest, passedAt, blockedAt }: FolderPassRecord): Promise<void> {
      await run(
        () => db.$executeRaw`
          INSERT INTO pass_records (folder_id, digest, passed_at, blocked_at)
          SELECT f.id, ${digest}, ${passedAt}, ${blockedAt} FROM folders f WHERE f.name = ${folder}
          ON CONFLICT (folder_id, digest) DO UPDATE
             SET passed_at = excluded.passed_at, blocked_at = excluded.blocked_at,
                 updated_at = now()`,
      );
    },
    /** Removes records of digests that their folder has no more. */
    removeUnused: (before: Date): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM pass_records p
           WHERE p.updated_at < ${before}
             AND NOT EXISTS (
               SELECT 1 FROM local_manifests m
                 JOIN local_repositories r ON r.name = m.repository
                 JOIN folders f ON f.id = p.folder_id
                WHERE m.digest = p.digest AND f.name IN (r.namespace, ${ROOT}))`,
      ),
  };
}
