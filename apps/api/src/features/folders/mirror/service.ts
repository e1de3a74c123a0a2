/** What accounts see of the mirror of a folder that they may pull from. */
import { foldersWith, type Principal } from '@portcullis/domain';
import {
  type ClientSetup,
  clientSetup,
  type Mirror,
  type MirrorClient,
  type MirrorGate,
  mayBringIn,
} from '@portcullis/domain/mirror';
import { conflict } from '@portcullis/errors';
import type {
  Folder,
  ListedMirrorTag,
  MirrorFigures,
  MirrorTagFilter,
  Store,
} from '@portcullis/store';
import type { FolderService } from '../service.ts';

export interface MirrorPorts {
  folders: Pick<FolderService, 'gate'>;
  mirrors: Pick<Store['mirrors'], 'all' | 'tags' | 'figures'>;
}

/** A mirror as one account sees it. */
export interface OfferedMirror extends Mirror {
  mayBringIn: boolean;
}

export interface ShownMirror extends OfferedMirror {
  figures: MirrorFigures;
}

export type MirrorService = ReturnType<typeof createMirrorService>;

export function createMirrorService({ folders, mirrors }: MirrorPorts) {
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
    return { ...offered(principal, mirror), figures: await mirrors.figures(mirror.folder) };
  }

  /** No tag where the folder is no mirror any more, though what was brought in is here. */
  async function tags(
    principal: Principal,
    idOrName: string,
    filter: Omit<MirrorTagFilter, 'folder'>,
  ): Promise<{ items: ListedMirrorTag[]; total: number }> {
    const { folder } = await folders.gate(principal, idOrName);
    const mirror = mirrorOf(folder, await mirrors.all());
    return mirror ? mirrors.tags({ ...filter, folder: mirror.folder }) : { items: [], total: 0 };
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
