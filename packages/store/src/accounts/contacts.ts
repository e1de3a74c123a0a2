/** The accounts that another account asks: for permissions, or for the approval of a waiver. */
import type { Database } from '../database.ts';
import { run } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import type { AccountNames, Contacts } from '../port.ts';

const MOST_NAMED = 5;

export async function contactsOf(
  db: Database,
  callerId: string,
  folder: string | null | undefined,
): Promise<Contacts> {
  const others = { id: { not: callerId }, disabled: false, authSource: { not: 'robot' } };
  const [administrators, reviewers] = await Promise.all([
    namesOf(db, { ...others, isAdmin: true }),
    namesOf(db, {
      ...others,
      OR: [{ isAdmin: true }, ...(folder === null ? [] : [reviewing(folder)])],
    }),
  ]);
  return { administrators, reviewers };
}

/** Who reviews the waivers of a folder has to see them. */
function reviewing(folder: string | undefined): Prisma.UserWhereInput {
  if (folder === undefined) return { canBypassVulnBlock: true };
  const grants = { some: { canPull: true, folder: { name: folder } } };
  return { canBypassVulnBlock: true, memberships: { some: { group: { grants } } } };
}

async function namesOf(db: Database, where: Prisma.UserWhereInput): Promise<AccountNames> {
  const statement = { where, orderBy: { usernameKey: 'asc' }, take: MOST_NAMED } as const;
  const [rows, total] = await run(() =>
    Promise.all([
      db.user.findMany({ ...statement, select: { username: true } }),
      db.user.count({ where }),
    ]),
  );
  return { names: rows.map(({ username }) => username), total };
}
