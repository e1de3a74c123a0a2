/** The accounts that another account asks: for permissions, or for the approval of a waiver. */
import { type Database, Prisma, run } from '../database.ts';
import type { AccountNames, Contacts } from './records.ts';
import { IS_PERSON, reviews } from './reviewers.ts';

const MOST_NAMED = 5;

export async function contactsOf(
  db: Database,
  accountId: string,
  folder: string | null | undefined,
): Promise<Contacts> {
  const [administrators, reviewers] = await Promise.all([
    namesOf(db, accountId, Prisma.sql`(${IS_PERSON} AND u.is_admin)`),
    namesOf(db, accountId, reviewing(folder)),
  ]);
  return { administrators, reviewers };
}

function reviewing(folder: string | null | undefined): Prisma.Sql {
  const named = Prisma.sql`(SELECT f.id FROM folders f WHERE f.name = ${folder ?? null})`;
  return reviews(folder === undefined ? Prisma.sql`TRUE` : Prisma.sql`FALSE`, named);
}

async function namesOf(db: Database, accountId: string, isOne: Prisma.Sql): Promise<AccountNames> {
  const rows = await run(
    () => db.$queryRaw<{ username: string; total: number }[]>`
      SELECT u.username, count(*) OVER ()::int AS total FROM users u
       WHERE u.id <> ${accountId}::uuid AND ${isOne}
       ORDER BY u.username_key LIMIT ${MOST_NAMED}`,
  );
  return { names: rows.map(({ username }) => username), total: rows[0]?.total ?? 0 };
}
