import type { Database } from '../database.ts';
import { isId, must, run, write } from '../database.ts';
import { cutByName, pageByName } from '../page.ts';
import type { Group, Groups } from '../port.ts';

const TAKEN: [string, string] = ['GROUP_NAME_TAKEN', 'a group of that name exists already'];
const MISSING: [string, string] = ['GROUP_UNKNOWN', 'there is no such group'];
const WITH_MEMBERS = {
  members: {
    select: { user: { select: { id: true, username: true } } },
    orderBy: { user: { usernameKey: 'asc' } },
  },
} as const;

type Row = Omit<Group, 'members'> & { members: { user: Group['members'][number] }[] };

export function createGroups(db: Database): Groups {
  async function find(id: string): Promise<Group | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.group.findUnique({ where: { id }, include: WITH_MEMBERS }));
    return row && toGroup(row);
  }

  return {
    find,
    get: async (id) => must(await find(id), ...MISSING),
    async list(page = {}) {
      const [rows, total] = await run(() =>
        Promise.all([
          db.group.findMany({ include: WITH_MEMBERS, ...pageByName(page) }),
          db.group.count(),
        ]),
      );
      return cutByName(rows.map(toGroup), total, page.limit);
    },
    listByNames: (names) =>
      run(() =>
        db.group.findMany({
          where: { name: { in: [...names] } },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
      ),
    of: (userId) =>
      run(() =>
        db.group.findMany({
          where: { members: { some: { userId } } },
          select: { id: true, name: true },
          orderBy: { name: 'asc' },
        }),
      ),
    async insertGroup(group) {
      const row = await write({ taken: TAKEN }, () =>
        db.group.create({ data: group, include: WITH_MEMBERS }),
      );
      return toGroup(row);
    },
    async update(id, change) {
      must(isId(id) ? id : null, ...MISSING);
      const statement = { where: { id }, data: change, include: WITH_MEMBERS };
      return toGroup(
        await write({ taken: TAKEN, missing: MISSING }, () => db.group.update(statement)),
      );
    },
    async remove(id) {
      must(isId(id) ? id : null, ...MISSING);
      await write({ missing: MISSING }, () => db.group.delete({ where: { id } }));
    },
    async addMember(groupId, userId) {
      const byHand = { source: 'manual' };
      await write({ missing: ['GROUP_OR_USER_UNKNOWN', 'there is no such group or account'] }, () =>
        db.groupMember.upsert({
          where: { groupId_userId: { groupId, userId } },
          create: { groupId, userId, ...byHand },
          update: byHand,
        }),
      );
    },
    async removeMember(groupId, userId) {
      const { count } = await run(() => db.groupMember.deleteMany({ where: { groupId, userId } }));
      return count > 0;
    },
    replaceProvided: (userId, groupIds) => replaceProvided(db, userId, groupIds),
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
