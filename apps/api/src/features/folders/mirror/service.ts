/** What accounts see of the mirror of a folder that they may pull from. */
import { foldersWith, LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import {
  type ClientSetup,
  clientSetup,
  type Mirror,
  type MirrorClient,
  type MirrorGate,
  mayBeTooYoung,
  mayBringIn,
} from '@portcullis/domain/mirror';
import { conflict } from '@portcullis/errors';
import { type PushGate, UNPRIVILEGED } from '@portcullis/gate';
import type {
  Folder,
  ListedMirrorAttempt,
  ListedMirrorTag,
  MirrorFigures,
  MirrorTagFilter,
  Store,
} from '@portcullis/store';
import type { FolderService } from '../service.ts';

export interface MirrorPorts {
  folders: Pick<FolderService, 'gate'>;
  mirrors: Pick<Store['mirrors'], 'all' | 'tags' | 'figures'>;
  attempts: Pick<Store['mirrorAttempts'], 'newest'>;
  pushGate: Pick<PushGate, 'openAll'>;
}

/** `waitsUntil`: of the upstream's image, where nothing else is known to keep it out. */
export interface ShownMirrorTag extends ListedMirrorTag {
  waitsUntil: Date | null;
}

/** A mirror as one account sees it. */
export interface OfferedMirror extends Mirror {
  mayBringIn: boolean;
}

export interface ShownMirror extends OfferedMirror {
  figures: MirrorFigures;
  attempts: ListedMirrorAttempt[];
}

export type MirrorService = ReturnType<typeof createMirrorService>;

const MOST_ATTEMPTS = 20;

export function createMirrorService({ folders, mirrors, attempts, pushGate }: MirrorPorts) {
  async function list(principal: Principal): Promise<OfferedMirror[]> {
    const readable = principal.isAdmin ? null : foldersWith(principal.grants, 'pull');
    return (await mirrors.all())
      .filter(({ folder }) => readable === null || readable.includes(folder))
      .map((mirror) => offered(principal, mirror));
  }

  /** Null where the folder is no mirror. */
  async function get(principal: Principal, idOrName: string): Promise<ShownMirror | null> {
    const { folder } = await folders.gate(principal, idOrName);
    const mirror = mirrorOf(folder, await mirrors.all());
    if (!mirror) return null;
    // A name that one account asks for may be a secret of the upstream.
    const accountId = principal.isAdmin ? null : principal.id;
    const [figures, newest] = await Promise.all([
      mirrors.figures(mirror.folder),
      attempts.newest(mirror.folderId, { accountId, limit: MOST_ATTEMPTS }),
    ]);
    return { ...offered(principal, mirror), figures, attempts: newest };
  }

  /** No tag where the folder is no mirror any more, though what was brought in is here. */
  async function tags(
    principal: Principal,
    idOrName: string,
    filter: Omit<MirrorTagFilter, 'folder'>,
  ): Promise<{ items: ShownMirrorTag[]; total: number }> {
    const { folder } = await folders.gate(principal, idOrName);
    const mirror = mirrorOf(folder, await mirrors.all());
    if (!mirror) return { items: [], total: 0 };
    const { items, total } = await mirrors.tags({ ...filter, folder: mirror.folder });
    const gateAt = await pushGate.openAll({ ...UNPRIVILEGED, digests: [] });
    const waitOf = (tag: ListedMirrorTag) => {
      const { repository, upstreamDigest: digest, seenAt: sightedAt } = tag;
      const target = { registryId: LOCAL_REGISTRY_ID, repository, folder: mirror.folder };
      const { waits } = gateAt(target);
      return waits !== null && mayBeTooYoung(tag) ? waits({ digest, sightedAt }) : null;
    };
    return { items: items.map((tag) => ({ ...tag, waitsUntil: waitOf(tag) })), total };
  }

  async function config(
    principal: Principal,
    idOrName: string,
    client: MirrorClient,
    gate: MirrorGate,
  ): Promise<ClientSetup & { client: MirrorClient }> {
    const { folder } = await folders.gate(principal, idOrName);
    const all = await mirrors.all();
    const mirror = mirrorOf(folder, all);
    if (!mirror) throw conflict('MIRROR_UNSET', `The folder ${folder.name} has no mirror.`);
    return { client, ...clientSetup(client, { mirror, mirrors: all }, gate) };
  }

  return { list, get, tags, config };
}

function mirrorOf({ id }: Folder, all: readonly Mirror[]): Mirror | null {
  return all.find(({ folderId }) => folderId === id) ?? null;
}

function offered(principal: Principal, mirror: Mirror): OfferedMirror {
  return { ...mirror, mayBringIn: mayBringIn(principal, mirror.folder) };
}
