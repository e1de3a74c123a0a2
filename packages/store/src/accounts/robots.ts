/** Robots in PostgreSQL: accounts without a password, their owners and groups. */

import { MOST_ROBOTS } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import {
  type Connection,
  type Database,
  inTransaction,
  isId,
  must,
  run,
  write,
} from '../database.ts';
import type { Page, PageOptions } from '../page.ts';
import { decodeName, encodeName, pageSize } from '../page.ts';
import type { NewRobot, Robot, RobotUpdate } from './records.ts';
import { insertUser, keyOf } from './users.ts';

const MISSING: [string, string] = ['ROBOT_UNKNOWN', 'there is no such robot'];
const NO_GROUP: [string, string] = ['GROUP_UNKNOWN', 'there is no such group'];
const NAMED = { select: { id: true, name: true } } as const;
const WITH_OWNER = { ownerGroup: NAMED, user: true } as const;

interface Row {
  description: string;
  createdBy: string;
  ownerGroup: Robot['owner'];
  user: {
    id: string;
    username: string;
    disabled: boolean;
    canBypassVulnBlock: boolean;
    createdAt: Date;
  };
}

export function createRobots(db: Database) {
  async function find(id: string): Promise<Robot | null> {
    if (!isId(id)) return null;
    const where = { userId: id };
    const row = await run(() => db.robot.findUnique({ where, include: WITH_OWNER }));
    return row && ((await complete(db, [row]))[0] ?? null);
  }

  return {
    find,
    /** By name; with `ownedBy` only those of these groups. */
    async list({
      limit,
      cursor,
      ownedBy,
    }: PageOptions & { ownedBy?: readonly string[] | undefined } = {}): Promise<Page<Robot>> {
      const where = ownedBy && { ownerGroupId: { in: ownedBy.filter(isId) } };
      const after = cursor ? { user: { usernameKey: { gt: decodeName(cursor) } } } : {};
      const size = pageSize(limit);
      const [rows, total] = await run(() =>
        Promise.all([
          db.robot.findMany({
            where: { AND: [where ?? {}, after] },
            include: WITH_OWNER,
            orderBy: { user: { usernameKey: 'asc' } },
            take: size + 1,
          }),
          db.robot.count({ ...(where && { where }) }),
        ]),
      );
      const last = rows.length > size ? rows[size - 1] : undefined;
      return {
        items: await complete(db, rows.slice(0, size)),
        nextCursor: last ? encodeName(keyOf(last.user.username)) : null,
        total,
      };
    },
    /** The name of the owning group; null where administrators own it. */
    async ownerOf(id: string): Promise<string | null> {
      const select = { ownerGroup: { select: { name: true } } };
      const row = await run(() => db.robot.findUnique({ where: { userId: id }, select }));
      return row?.ownerGroup?.name ?? null;
    },
    /** @throws conflict `USERNAME_TAKEN`, `ROBOTS_MANY`, not_found `GROUP_UNKNOWN` */
    async insert(robot: NewRobot): Promise<Robot> {
      if ((await run(() => db.robot.count())) >= MOST_ROBOTS)
        throw conflict('ROBOTS_MANY', `There are ${MOST_ROBOTS} robots already.`);
      return must(await find(await insert(db, robot)), ...MISSING);
    },
    /** @throws not_found `ROBOT_UNKNOWN`, `GROUP_UNKNOWN` */
    async update(id: string, change: RobotUpdate): Promise<Robot> {
      must(isId(id) ? id : null, ...MISSING);
      await update(db, id, change);
      return must(await find(id), ...MISSING);
    },
  };
}

function insert(db: Database, robot: NewRobot): Promise<string> {
  const { name, description, ownerGroupId, groupIds, canBypassVulnBlock, createdBy } = robot;
  const user = {
    username: name,
    passwordHash: null,
    authSource: 'robot',
    canBypassVulnBlock,
  } as const;
  return inTransaction(db, async (tx) => {
    const { id } = await insertUser(tx, user);
    await write({ missing: NO_GROUP }, () =>
      tx.robot.create({ data: { userId: id, description, ownerGroupId, createdBy } }),
    );
    await join(tx, id, groupIds);
    return id;
  });
}

function update(db: Database, id: string, change: RobotUpdate): Promise<void> {
  const { groupIds, disabled, canBypassVulnBlock, ...own } = change;
  const ofAccount = {
    ...(disabled !== undefined && { disabled }),
    ...(canBypassVulnBlock !== undefined && { canBypassVulnBlock }),
  };
  return inTransaction(db, async (tx) => {
    must(await tx.robot.findUnique({ where: { userId: id } }), ...MISSING);
    await write({ missing: NO_GROUP }, () => tx.robot.update({ where: { userId: id }, data: own }));
    await tx.user.update({ where: { id }, data: ofAccount });
    if (!groupIds) return;
    await tx.groupMember.deleteMany({ where: { userId: id } });
    await join(tx, id, groupIds);
  });
}

async function join(tx: Connection, userId: string, groupIds: readonly string[]): Promise<void> {
  const data = [...new Set(groupIds)].map((groupId) => ({ groupId, userId }));
  await write({ missing: NO_GROUP }, () => tx.groupMember.createMany({ data }));
}

/** Groups and tokens of all of them by one query each. */
async function complete(db: Database, rows: readonly Row[]): Promise<Robot[]> {
  const userId = { in: rows.map(({ user }) => user.id) };
  const [members, counted, used] = await run(() =>
    Promise.all([
      db.groupMember.findMany({
        where: { userId },
        select: { userId: true, group: NAMED },
        orderBy: { group: { name: 'asc' } },
      }),
      db.personalToken.groupBy({
        by: ['userId'],
        where: { userId, trustId: null, expiresAt: { gt: new Date() } },
        _count: true,
      }),
      db.personalToken.groupBy({ by: ['userId'], where: { userId }, _max: { lastUsedAt: true } }),
    ]),
  );
  const counts = new Map(counted.map((row) => [row.userId, row._count]));
  const uses = new Map(used.map((row) => [row.userId, row._max.lastUsedAt]));
  return rows.map(({ user, ownerGroup, description, createdBy }) => ({
    id: user.id,
    name: user.username,
    description,
    owner: ownerGroup,
    groups: members.filter((member) => member.userId === user.id).map(({ group }) => group),
    disabled: user.disabled,
    canBypassVulnBlock: user.canBypassVulnBlock,
    createdBy,
    createdAt: user.createdAt,
    tokens: counts.get(user.id) ?? 0,
    lastUsedAt: uses.get(user.id) ?? null,
  }));
}
