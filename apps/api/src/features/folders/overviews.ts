/** What a folder that the caller may pull from holds, and who may do what in it. */
import { foldersWith, type Principal, withBypass } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type {
  FindingDay,
  Folder,
  FolderEvent,
  FolderFigures,
  FolderImageFilter,
  GrantFlags,
  GroupMembers,
  Store,
} from '@portcullis/store';
import { firstDay } from '../dashboard/days.ts';
import type { Standings } from '../images/standings.ts';

export interface OverviewPorts {
  store: {
    folders: Pick<Store['folders'], 'find'>;
    folderOverviews: Store['folderOverviews'];
    figures: Pick<Store['figures'], 'trend'>;
    policies: Pick<Store['policies'], 'find'>;
    standings: Pick<Store['standings'], 'owners'>;
    waivers: Pick<Store['waivers'], 'inForce'>;
    images: Pick<Store['images'], 'bypasses'>;
  };
  standings: Pick<Standings, 'answers'>;
  now(): Date;
}

export interface FolderSummary {
  figures: FolderFigures;
  rights: GrantFlags;
}

export interface FolderOverview extends FolderSummary {
  folder: Folder;
  /** Null: the default policy. */
  policyName: string | null;
  bytes: number;
  /** Null for other accounts than administrators. */
  groups: GroupMembers[] | null;
  owners: string[];
  waivers: { folder: number; everywhere: number };
  activity: FolderEvent[];
}

interface FolderTrend {
  days: FindingDay[];
  asOf: Date;
}

export type FolderOverviewService = ReturnType<typeof createFolderOverviews>;

const MOST_OWNERS = 10;
const MOST_EVENTS = 20;

export function createFolderOverviews({ store, standings, now }: OverviewPorts) {
  const { folderOverviews } = store;

  async function list(principal: Principal): Promise<FolderSummary[]> {
    const found = await folderOverviews.figures(readableBy(principal));
    return found.map((figures) => ({ figures, rights: rightsOf(principal, figures.name) }));
  }

  async function get(principal: Principal, idOrName: string): Promise<FolderOverview> {
    const folder = await readable(principal, idOrName);
    const { id, name, policyId } = folder;
    const [[figures], bytes, groups, owners, policy, waivers, activity] = await Promise.all([
      folderOverviews.figures([name]),
      folderOverviews.bytes(name),
      principal.isAdmin ? folderOverviews.groups(id) : null,
      store.standings.owners(name, MOST_OWNERS),
      policyId === null ? null : store.policies.find(policyId),
      store.waivers.inForce(now()),
      folderOverviews.activity(folder, MOST_EVENTS),
    ]);
    if (!figures) throw unknown();
    return {
      ...{ folder, figures, bytes, groups, activity },
      rights: rightsOf(principal, name),
      policyName: policy?.name ?? null,
      owners: owners.map(({ username }) => username),
      waivers: {
        folder: waivers.filter((waiver) => waiver.folder === name).length,
        everywhere: waivers.filter((waiver) => waiver.folder === null).length,
      },
    };
  }

  async function images(
    principal: Principal,
    idOrName: string,
    query: Omit<FolderImageFilter, 'folder'>,
  ) {
    const { name } = await readable(principal, idOrName);
    const { items, total } = await folderOverviews.images({ ...query, folder: name });
    const [answered, bypasses] = await Promise.all([
      standings.answers(
        items.map((item) => ({ ...item, isArtifact: item.standing === 'artifact' })),
      ),
      store.images.bypasses(items),
    ]);
    const bypassOf = new Map(
      bypasses.map(({ repository, digest, by }) => [`${repository}@${digest}`, by]),
    );
    const shown = answered.map(({ answer, ...item }) => ({
      ...item,
      ...withBypass(answer, bypassOf.get(`${item.repository}@${item.digest}`) ?? null),
    }));
    return { items: shown, total };
  }

  /** @param repository null: all of the folder */
  async function trend(
    principal: Principal,
    idOrName: string,
    repository: string | null,
  ): Promise<FolderTrend> {
    const { name } = await readable(principal, idOrName);
    const asOf = now();
    const scope = { folder: name, repository, since: firstDay(asOf) };
    return { days: await store.figures.trend(scope), asOf };
  }

  /** @throws not_found `FOLDER_UNKNOWN` also where the account may not pull from it */
  async function readable(principal: Principal, idOrName: string): Promise<Folder> {
    const folder = await store.folders.find(idOrName);
    const names = readableBy(principal);
    if (folder && (names === 'all' || names.includes(folder.name))) return folder;
    throw unknown();
  }

  return { list, get, images, trend };
}

function readableBy({ isAdmin, grants }: Principal): 'all' | string[] {
  return isAdmin ? 'all' : foldersWith(grants, 'pull');
}

const ALL = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
const NONE = { canPull: false, canPush: false, canPullExternal: false, canPushExternal: false };

function rightsOf({ isAdmin, grants }: Principal, folder: string): GrantFlags {
  return isAdmin ? ALL : (grants.find((grant) => grant.folder === folder) ?? NONE);
}

function unknown() {
  return notFound('FOLDER_UNKNOWN', 'There is no such folder.');
}
