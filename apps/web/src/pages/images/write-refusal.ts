/** Why the account may not change a repository. Only a hint: the server decides. */

import { folderOf, LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import type { RepositoryLocation } from './repository-location.ts';

/** Null if allowed or not known yet. */
export function useWriteRefusal({ registryId, repository }: RepositoryLocation): string | null {
  const t = useMessages('images');
  const { capabilities } = useAccount();
  const local = registryId === LOCAL_REGISTRY_ID;
  const pushable = useQuery({ ...ask('folders.listPushable'), enabled: local }).data;
  const pullable = useQuery({ ...ask('folders.listPullable'), enabled: local }).data;
  if (!local) return capabilities.push_external ? null : t.mayNotWriteElsewhere;
  if (!pushable || !pullable) return null;
  const folder = governing(repository, pullable, pushable);
  if (pushable.includes(folder)) return null;
  return folder === ROOT_FOLDER ? t.mayNotWriteRoot : t.mayNotWrite(folder);
}

/** The folder of a repository of the built-in registry; the first segment until known. */
export function useFolder(repository: string): string {
  const pullable = useQuery(ask('folders.listPullable')).data ?? repository.split('/', 1);
  return governing(repository, pullable, []);
}

/** Folders in neither list hide their repositories, so they cannot be the answer. */
function governing(repository: string, pullable: string[], pushable: string[]): string {
  return folderOf(repository, new Set([...pullable, ...pushable]));
}
