/**
 * Stores pulls of what is not in a mirror, which its upstream did not answer with a digest. An
 * account may ask for any name, so the newest few of each account are kept, and of each mirror.
 */
import type { MirrorAttempt } from '@portcullis/domain/mirror';
import { type Connection, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { ListedMirrorAttempt, MirrorReference, NewMirrorAttempt } from './records.ts';

const MOST_OF_ACCOUNT = 10;
const MOST_OF_MIRROR = 100;
const IS_KEPT = Prisma.sql`(at > now() - interval '7 days')`;

export function createMirrorAttempts(db: Connection) {
  return {
    note: (attempt: NewMirrorAttempt) => note(db, attempt),
    /** The last one of any account; null where none is kept. */
    last: (place: MirrorReference) => last(db, place),
    /** The newest first; null: of all accounts. */
    newest: (folderId: string, asked: { accountId: string | null; limit: number }) =>
      newest(db, folderId, asked),
  };
}

async function note(
  db: Connection,
  { folderId, repository, reference, accountId, fault }: NewMirrorAttempt,
): Promise<void> {
  await run(
    () => db.$executeRaw`
      INSERT INTO mirror_attempts AS a (folder_id, repository, reference, account_id, fault)
      VALUES (${folderId}::uuid, ${repository}, ${reference}, ${accountId}::uuid, ${JSON.stringify(json(fault))}::jsonb)
      ON CONFLICT (repository, reference, account_id) DO UPDATE
         SET folder_id = excluded.folder_id, fault = excluded.fault, at = now(),
             since = CASE WHEN a.fault -> 'code' = excluded.fault -> 'code' THEN a.since ELSE now() END`,
  );
  await run(
    () => db.$executeRaw`
      DELETE FROM mirror_attempts a USING (
        SELECT repository, reference, account_id,
               row_number() OVER (PARTITION BY account_id ORDER BY at DESC) AS of_account,
               row_number() OVER (ORDER BY at DESC) AS of_mirror, ${IS_KEPT} AS is_kept
          FROM mirror_attempts WHERE folder_id = ${folderId}::uuid) nth
       WHERE (nth.of_account > ${MOST_OF_ACCOUNT} OR nth.of_mirror > ${MOST_OF_MIRROR} OR NOT nth.is_kept)
         AND a.repository = nth.repository AND a.reference = nth.reference
         AND a.account_id = nth.account_id`,
  );
}

async function last(
  db: Connection,
  { repository, reference }: MirrorReference,
): Promise<MirrorAttempt | null> {
  const [row] = await run(
    () => db.$queryRaw<MirrorAttempt[]>`
      SELECT fault, since, at FROM mirror_attempts
       WHERE repository = ${repository} AND reference = ${reference} AND ${IS_KEPT}
       ORDER BY at DESC LIMIT 1`,
  );
  return row ?? null;
}

async function newest(
  db: Connection,
  folderId: string,
  { accountId, limit }: { accountId: string | null; limit: number },
): Promise<ListedMirrorAttempt[]> {
  return run(
    () => db.$queryRaw<ListedMirrorAttempt[]>`
      SELECT a.repository, a.reference, u.username AS account, a.fault, a.since, a.at
        FROM mirror_attempts a JOIN users u ON u.id = a.account_id
       WHERE a.folder_id = ${folderId}::uuid AND ${IS_KEPT}
         AND (${accountId}::uuid IS NULL OR a.account_id = ${accountId}::uuid)
       ORDER BY a.at DESC LIMIT ${limit}`,
  );
}
