/** Why the account may not change a repository. Only a hint: the server decides. */

import type { ImageRepository } from '@portcullis/contract';
import { folderOf, LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { useMemo } from 'react';
import { useAnswer } from '../../api/api.ts';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import type { RepositoryLocation } from './repository-location.ts';

/** Null if allowed or not known yet. */
export function useWriteRefusal({ registryId, repository }: RepositoryLocation): string | null {
  const t = useMessages('images');
  const { capabilities } = useAccount();
  const local = registryId === LOCAL_REGISTRY_ID;
  const writable = useAnswer('folders.listWritable', undefined, { enabled: local }).data;
  const pullable = useAnswer('folders.listPullable', undefined, { enabled: local }).data;
  if (!local) return capabilities.push_external ? null : t.mayNotWriteElsewhere;
  if (!writable || !pullable) return null;
  const folder = governing(repository, pullable, writable);
  return writable.includes(folder) ? null : refusalFor(t, folder);
}

/** As `useWriteRefusal`, for a new tag: those of a mirror come from its upstream. */
export function useTagRefusal(place: RepositoryLocation): string | null {
  const t = useMessages('images');
  const refusal = useWriteRefusal(place);
  const local = place.registryId === LOCAL_REGISTRY_ID;
  const pushable = useAnswer('folders.listPushable', undefined, { enabled: local }).data;
  const folder = useFolder(place.repository);
  const isMirror = local && pushable?.includes(folder) === false;
  return refusal ?? (isMirror ? t.mirrorReadOnly(folder) : null);
}

/** Why the account may not change a repository; null if allowed. */
export type RefusalOf = (repository: ImageRepository) => string | null;

export interface WriteRights {
  isPending: boolean;
  /** Whether the account may change any repository of the registry. */
  some: boolean;
  refusalOf: RefusalOf;
}

/** For a list of repositories. */
export function useWriteRights(registryId: string): WriteRights {
  const t = useMessages('images');
  const { push_external: some } = useAccount().capabilities;
  const local = registryId === LOCAL_REGISTRY_ID;
  const { data, isLoading } = useAnswer('folders.listWritable', undefined, { enabled: local });
  return useMemo(() => {
    if (!local)
      return { isPending: false, some, refusalOf: () => (some ? null : t.mayNotWriteElsewhere) };
    const writable = new Set(data);
    return {
      isPending: isLoading,
      some: writable.size > 0,
      refusalOf: ({ folder }) =>
        folder === null || writable.has(folder) ? null : refusalFor(t, folder),
    };
  }, [t, some, local, data, isLoading]);
}

function refusalFor(t: Messages['images'], folder: string): string {
  return folder === ROOT_FOLDER ? t.mayNotWriteRoot : t.mayNotWrite(folder);
}

/** The folder of a repository of the built-in registry; the first segment until known. */
export function useFolder(repository: string): string {
  const pullable = useAnswer('folders.listPullable').data ?? repository.split('/', 1);
  return governing(repository, pullable, []);
}

/** Folders in neither list hide their repositories, so they cannot be the answer. */
function governing(repository: string, pullable: string[], writable: string[]): string {
  return folderOf(repository, new Set([...pullable, ...writable]));
}
