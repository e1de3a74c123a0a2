/** Whether this account may change a repository, and if not, why: said before it is tried. The server decides. */

import { folderOf, LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';
import type { RepositoryLocation } from './repository-location.ts';

/** Null where it is allowed, and while nobody knows yet: then the server's answer says it. */
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

/** That of a repository of the built-in registry; the first segment until it is known. */
export function useFolder(repository: string): string {
  const pullable = useQuery(ask('folders.listPullable')).data ?? repository.split('/', 1);
  return governing(repository, pullable, []);
}

/** A folder that is in neither list wouldn't have let the repository be seen. */
export function governing(repository: string, pullable: string[], pushable: string[]): string {
  return folderOf(repository, new Set([...pullable, ...pushable]));
}
