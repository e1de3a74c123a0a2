/** Stores folders and the grants of groups. */
import type { PullGateMode, PushGateMode, StatementMode } from '@portcullis/domain';
import type { MirrorSettings } from '@portcullis/domain/mirror';
import { notFound } from '@portcullis/errors';
import { type Database, inTransaction, isId, must, Prisma, run, write } from '../database.ts';
import type { FolderGate } from '../gate/records.ts';
import { json } from '../jobs/job-row.ts';
import { makeDueAgain, upstreamOf } from '../mirrors/due-again.ts';
import type { Page, PageOptions } from '../page.ts';
import { cutByName, pageByName } from '../page.ts';
import type {
  Folder,
  FolderSettings,
  Grant,
  GrantFlags,
  GroupFolderGrant,
  UserFolderGrant,
} from './records.ts';

const ROOT = '__root__';
const TAKEN: [string, string] = ['FOLDER_NAME_TAKEN', 'a folder of that name exists already'];
const MISSING: [string, string] = ['FOLDER_UNKNOWN', 'there is no such folder'];
const WITH_PARTS = {
  mirror: { omit: { folderId: true } },
  grants: { include: { group: { select: { name: true } } }, orderBy: { group: { name: 'asc' } } },
} as const;

type GrantRow = GrantFlags & { groupId: string; group: { name: string } };
type Row = Omit<Folder, 'grants' | 'retention' | keyof FolderGate> &
  GateRow & { retention: unknown; grants: GrantRow[] };
type GateRow = Record<'pushGate' | 'pullGate' | 'statements', string> &
  Pick<FolderGate, 'policyId' | 'immutableTags'> & { quotaBytes: bigint | null };

export function createFolders(db: Database) {
  async function find(idOrName: string): Promise<Folder | null> {
    // No folder name can be mistaken for an id: the domain's `normalizeFolderName` refuses such
    // names.
    const where = isId(idOrName) ? { id: idOrName } : { name: idOrName };
    const row = await run(() => db.folder.findUnique({ where, include: WITH_PARTS }));
    return row && toFolder(row);
  }

  return {
    find,
    get: async (idOrName: string): Promise<Folder> => must(await find(idOrName), ...MISSING),
    /** The folder `__root__`, created at start-up. */
    async ensureRoot(): Promise<Folder> {
      // Several processes may start at once, and Prisma's upsert with relations is not a single
      // statement.
      const data = [{ name: ROOT, description: 'Repositories without a folder of their own' }];
      await run(() => db.folder.createMany({ data, skipDuplicates: true }));
      return must(await find(ROOT), ...MISSING);
    },
    /** Sorted by name. */
    async list(page: PageOptions = {}): Promise<Page<Folder>> {
      const [rows, total] = await run(() =>
        Promise.all([
          db.folder.findMany({ include: WITH_PARTS, ...pageByName(page) }),
          db.folder.count(),
        ]),
      );
      return cutByName(rows.map(toFolder), total, page.limit);
    },
    /** All names, sorted, including `__root__`. */
    async names(): Promise<string[]> {
      const rows = await run(() => db.folder.findMany({ select: { name: true } }));
      return rows.map(({ name }) => name).sort();
    },
    /** The gate's settings of every folder, by name. */
    async gates(): Promise<Map<string, FolderGate>> {
      const select = {
        ...{ name: true, policyId: true, pushGate: true, pullGate: true, immutableTags: true },
        ...{ quotaBytes: true, statements: true },
      } as const;
      const rows = await run(() => db.folder.findMany({ select }));
      return new Map(rows.map(({ name, ...row }) => [name, toGate(row)]));
    },
    grantsFor: (userId: string) => grantsFor(db, userId),
    /** The same grants before the union, each with its group; sorted by folder, then group. */
    grantsByGroup: (userId: string) => grantsByGroup(db, userId),
    /** @throws conflict `FOLDER_NAME_TAKEN`, not_found `POLICY_UNKNOWN` */
    async insertFolder(folder: { name: string } & FolderSettings): Promise<Folder> {
      await assertPolicy(db, folder.policyId);
      return toFolder(
        await write({ taken: TAKEN }, () =>
          db.folder.create({
            data: {
              ...folder,
              retention: ruleColumn(folder.retention),
              mirror: folder.mirror ? { create: mirrorColumns(folder.mirror) } : undefined,
            },
            include: WITH_PARTS,
          }),
        ),
      );
    },
    /** @throws not_found `POLICY_UNKNOWN` */
    async update(id: string, change: FolderSettings): Promise<Folder> {
      must(isId(id) ? id : null, ...MISSING);
      await assertPolicy(db, change.policyId);
      const data = {
        ...change,
        retention: ruleColumn(change.retention),
        mirror: mirrorChange(change.mirror),
      };
      const statement = { where: { id }, data, include: WITH_PARTS };
      return toFolder(
        await write({ missing: MISSING }, () =>
          inTransaction(db, async (tx) => {
            const upstream = await upstreamOf(tx, id);
            // To delete it with the statement would need one.
            if (change.mirror === null) await tx.mirror.deleteMany({ where: { folderId: id } });
            const updated = await tx.folder.update(statement);
            if (change.mirror || change.immutableTags) await makeDueAgain(tx, id, upstream);
            return updated;
          }),
        ),
      );
    },
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      await write({ missing: MISSING }, () => db.folder.delete({ where: { id } }));
    },
    /** Replaces the grant of (folder, group); an omitted flag is false. */
    grant: (folderId: string, groupId: string, flags: Partial<GrantFlags>) =>
      grant(db, { folderId, groupId }, flags),
    /** Returns false where there was no grant. */
    async revoke(folderId: string, groupId: string): Promise<boolean> {
      const { count } = await run(() =>
        db.folderGrant.deleteMany({ where: { folderId, groupId } }),
      );
      return count > 0;
    },
  };
}

/** @throws not_found `POLICY_UNKNOWN` */
async function assertPolicy(db: Database, id: string | null | undefined): Promise<void> {
  if (id == null) return;
  const count = isId(id) ? await run(() => db.policy.count({ where: { id } })) : 0;
  if (count === 0) throw notFound('POLICY_UNKNOWN', 'there is no such policy');
}

async function grant(
  db: Database,
  entry: { folderId: string; groupId: string },
  flags: Partial<GrantFlags>,
): Promise<Grant> {
  const {
    canPull = false,
    canPush = false,
    canPullExternal = false,
    canPushExternal = false,
  } = flags;
  const data = { canPull, canPush, canPullExternal, canPushExternal };
  const missing: [string, string] = ['FOLDER_OR_GROUP_UNKNOWN', 'there is no such folder or group'];
  const where = { folderId_groupId: entry };
  await write({ missing }, () =>
    db.folderGrant.upsert({ where, create: { ...entry, ...data }, update: data }),
  );
  const group = await run(() =>
    db.group.findUnique({ where: { id: entry.groupId }, select: { name: true } }),
  );
  return toGrant({ ...entry, ...data, group: must(group, ...missing) });
}

/** The grants of an account's groups by folder, in one query for every request. */
function grantsFor(db: Database, userId: string): Promise<UserFolderGrant[]> {
  return run(
    () => db.$queryRaw<UserFolderGrant[]>`
      SELECT f.name AS folder,
             bool_or(g.can_pull) AS "canPull",
             bool_or(g.can_push) AS "canPush",
             bool_or(g.can_pull_external) AS "canPullExternal",
             bool_or(g.can_push_external) AS "canPushExternal"
        FROM group_members m
        JOIN folder_grants g ON g.group_id = m.group_id
        JOIN folders f ON f.id = g.folder_id
       WHERE m.user_id = ${userId}::uuid
       GROUP BY f.name
       ORDER BY f.name`,
  );
}

async function grantsByGroup(db: Database, userId: string): Promise<GroupFolderGrant[]> {
  const rows = await run(() =>
    db.folderGrant.findMany({
      where: { group: { members: { some: { userId } } } },
      omit: { folderId: true, groupId: true },
      include: { folder: { select: { name: true } }, group: { select: { id: true, name: true } } },
      orderBy: [{ folder: { name: 'asc' } }, { group: { name: 'asc' } }],
    }),
  );
  return rows.map(({ folder, ...grant }) => ({ ...grant, folder: folder.name }));
}

function mirrorChange(mirror: Folder['mirror'] | undefined) {
  if (!mirror) return undefined;
  const columns = mirrorColumns(mirror);
  return { upsert: { create: columns, update: columns } };
}

function mirrorColumns({ registryId, allow, platforms, ...rest }: MirrorSettings) {
  return { ...rest, registryId, allow: [...allow], platforms: [...platforms] };
}

/** Without a rule, the column is NULL, not a JSON null. */
function ruleColumn(rule: Folder['retention'] | undefined) {
  return rule === null ? Prisma.DbNull : rule && json(rule);
}

function toFolder({ grants, ...row }: Row): Folder {
  // The column contains what `ruleColumn` made.
  const retention = row.retention as Folder['retention'];
  return { ...row, ...toGate(row), retention, grants: grants.map(toGrant) };
}

/** The columns contain what `update` wrote, or their defaults. */
function toGate({ pushGate, pullGate, quotaBytes, statements, ...row }: GateRow): FolderGate {
  const { policyId, immutableTags } = row;
  const gates = { pushGate: pushGate as PushGateMode, pullGate: pullGate as PullGateMode };
  const quota = { quotaBytes: quotaBytes === null ? null : Number(quotaBytes) };
  const signed = { statements: statements as StatementMode };
  return { policyId, ...gates, immutableTags, ...quota, ...signed };
}

function toGrant({
  groupId,
  group,
  canPull,
  canPush,
  canPullExternal,
  canPushExternal,
}: GrantRow): Grant {
  return { groupId, groupName: group.name, canPull, canPush, canPullExternal, canPushExternal };
}
