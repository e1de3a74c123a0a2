/** Stores groups and their members. */
import type { Database } from '../database.ts';
import { isId, must, run, write } from '../database.ts';
import type { Page, PageOptions } from '../page.ts';
import { cutByName, pageByName } from '../page.ts';
import type { Group } from './records.ts';

const TAKEN: [string, string] = ['GROUP_NAME_TAKEN', 'a group of that name exists already'];
const MISSING: [string, string] = ['GROUP_UNKNOWN', 'there is no such group'];
const WITH_MEMBERS = {
  members: {
    select: { user: { select: { id: true, username: true } } },
    orderBy: { user: { usernameKey: 'asc' } },
  },
} as const;

type Row = Omit<Group, 'members'> & { members: { user: Group['members'][number] }[] };

export function createGroups(db: Database) {
  async function find(id: string): Promise<Group | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.group.findUnique({ where: { id }, include: WITH_MEMBERS }));
    return row && toGroup(row);
  }

  return {
    find,
    get: async (id: string): Promise<Group> => must(await find(id), ...MISSING),
    /** Sorted by name. */
    async list(page: PageOptions = {}): Promise<Page<Group>> {
      const [rows, total] = await run(() =>
        Promise.all([
          db.group.findMany({ include: WITH_MEMBERS, ...pageByName(page) }),
          db.group.count(),
        ]),
      );
      return cutByName(rows.map(toGroup), total, page.limit);
    },
    /** The groups that exist. */
    listByNames: (names: readonly string[]): Promise<{ id: string; name: string }[]> =>
      run(() =>
        db.group.findMany({
          where: { name: { in: [...names] } },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
      ),
    /** The groups of an account, sorted by name. */
    of: (userId: string): Promise<{ id: string; name: string }[]> =>
      run(() =>
        db.group.findMany({
          where: { members: { some: { userId } } },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
      ),
    /** Names are case-insensitive. @throws conflict `GROUP_NAME_TAKEN` */
    async insertGroup(group: { name: string; description?: string }): Promise<Group> {
      const row = await write({ taken: TAKEN }, () =>
        db.group.create({ data: group, include: WITH_MEMBERS }),
      );
      return toGroup(row);
    },
    async update(id: string, change: { name?: string; description?: string }): Promise<Group> {
      must(isId(id) ? id : null, ...MISSING);
      const statement = { where: { id }, data: change, include: WITH_MEMBERS };
      return toGroup(
        await write({ taken: TAKEN, missing: MISSING }, () => db.group.update(statement)),
      );
    },
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      await write({ missing: MISSING }, () => db.group.delete({ where: { id } }));
    },
    /** A manual membership, which no identity provider removes. */
    async addMember(groupId: string, userId: string): Promise<void> {
      const byHand = { source: 'manual' };
      await write({ missing: ['GROUP_OR_USER_UNKNOWN', 'there is no such group or account'] }, () =>
        db.groupMember.upsert({
          where: { groupId_userId: { groupId, userId } },
          create: { groupId, userId, ...byHand },
          update: byHand,
        }),
      );
    },
    /** Returns false where the account was not a member. */
    async removeMember(groupId: string, userId: string): Promise<boolean> {
      const { count } = await run(() => db.groupMember.deleteMany({ where: { groupId, userId } }));
      return count > 0;
    },
    /**
     * Replaces the memberships that an identity provider manages; manual ones stay. Groups that no
     * longer exist are skipped.
     */
    replaceProvided: (userId: string, groupIds: readonly string[]) =>
      replaceProvided(db, userId, groupIds),
  };
}

/** Single statements, so that a group removed concurrently causes no error. */
async function replaceProvided(
  db: Database,
  userId: string,
  groupIds: readonly string[],
): Promise<void> {
  const kept = groupIds.filter(isId);
  await run(() =>
    db.$transaction(async (tx) => {
      await tx.groupMember.deleteMany({
        where: { userId, source: 'oidc', groupId: { notIn: kept } },
      });
      await tx.$executeRaw`
        INSERT INTO group_members (group_id, user_id, source)
        SELECT id, ${userId}::uuid, 'oidc' FROM groups WHERE id = ANY(${kept}::uuid[])
        ON CONFLICT DO NOTHING`;
    }),
  );
}

function toGroup({ members, ...row }: Row): Group {
  return { ...row, members: members.map(({ user }) => user) };
}
