/** What accounts see of the mirror of a folder that they may pull from. */
import type { Principal } from '@portcullis/domain';
import {
  type ClientSetup,
  clientSetup,
  type Mirror,
  type MirrorClient,
  type MirrorGate,
} from '@portcullis/domain/mirror';
import { conflict } from '@portcullis/errors';
import type { Folder, Store } from '@portcullis/store';
import type { FolderService } from '../service.ts';

export interface MirrorPorts {
  folders: Pick<FolderService, 'gate'>;
  mirrors: Pick<Store['mirrors'], 'all'>;
}

export type MirrorService = ReturnType<typeof createMirrorService>;

export function createMirrorService({ folders, mirrors }: MirrorPorts) {
  async function config(
    principal: Principal,
    idOrName: string,
    client: MirrorClient,
    gate: MirrorGate,
  ): Promise<ClientSetup & { client: MirrorClient }> {
    const { folder } = await folders.gate(principal, idOrName);
    const all = await mirrors.all();
    return {
      client,
      ...clientSetup(client, { mirror: mirrorOf(folder, all), mirrors: all }, gate),
    };
  }

  return { config };
}

/** @throws conflict `MIRROR_UNSET` */
function mirrorOf({ id, name }: Folder, all: readonly Mirror[]): Mirror {
  const found = all.find(({ folderId }) => folderId === id);
  if (found) return found;
  throw conflict('MIRROR_UNSET', `The folder ${name} has no mirror.`);
}
