/** Checks the mirror that a folder is to have. */
import { ROOT_FOLDER } from '@portcullis/domain';
import type { MirrorSettings } from '@portcullis/domain/mirror';
import { forbidden } from '@portcullis/errors';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { Store } from '@portcullis/store';
import { fieldInvalid } from '../../../http/problem.ts';
import { assertGlobs } from '../globs.ts';

export interface MirrorCheckPorts {
  registries: Pick<Store['registries'], 'find'>;
  /** Whether a saved registry is this installation. */
  locate: RegistryAccess['locate'];
}

/** The folder by its name. @throws invalid with the field; forbidden `FOLDER_PROTECTED` */
export type AssertMirror = (folder: string, mirror: MirrorSettings) => Promise<void>;

export function createMirrorCheck({ registries, locate }: MirrorCheckPorts): AssertMirror {
  return async (folder, { registryId, allow }) => {
    if (folder === ROOT_FOLDER)
      throw forbidden('FOLDER_PROTECTED', `${ROOT_FOLDER} can't be a mirror.`);
    assertGlobs('mirror.allow', allow);
    if (registryId === null) return;
    const saved = await registries.find(registryId);
    // What is of one account is not for all who pull from the folder.
    if (!saved || saved.ownerId !== null)
      throw fieldInvalid(
        'mirror.registry_id',
        'REGISTRY_UNKNOWN',
        'There is no saved registry of all accounts with this id.',
      );
    const { kind } = await locate(registryId, { id: '', isAdmin: true });
    if (kind === 'local')
      throw fieldInvalid(
        'mirror.registry_id',
        'MIRROR_OF_ITSELF',
        'The registry is this installation.',
      );
  };
}
