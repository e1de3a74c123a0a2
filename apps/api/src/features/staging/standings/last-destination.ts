/** Where an account pulled or pushed to last: what the next pull is proposed for. */
import {
  folderOf,
  type JobDestination,
  LOCAL_REGISTRY_ID,
  type Principal,
} from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { Store } from '@portcullis/store';
import type { AccessRights } from '../../../identity/rights.ts';

export interface LastDestinationPorts {
  jobs: Pick<Store['jobs'], 'lastDestination'>;
  rights: Pick<AccessRights, 'decide'>;
  locate: RegistryAccess['locate'];
  folders(): Promise<ReadonlySet<string>>;
}

/** Null also where the account may no longer push there. */
export async function lastDestinationOf(
  principal: Principal,
  { jobs, rights, locate, folders }: LastDestinationPorts,
): Promise<JobDestination | null> {
  const last = await jobs.lastDestination(principal.id);
  if (last === null || last.kind === 'host') return null;
  const { host, repository, tag, registryId } = last;
  if (last.kind === 'registry') {
    const isKnown = registryId !== null && (await exists(registryId));
    const may = isKnown && (await rights.decide(principal, { action: 'push_external' })).allowed;
    return may ? { kind: 'registry', registryId, host, folder: null, repository, tag } : null;
  }
  if (!(await rights.decide(principal, { action: 'push', repository })).allowed) return null;
  const folder = folderOf(repository, await folders());
  return { kind: 'local', registryId: LOCAL_REGISTRY_ID, host, folder, repository, tag };

  async function exists(id: string): Promise<boolean> {
    try {
      await locate(id, principal);
      return true;
    } catch (error) {
      if (isAppError(error) && error.kind === 'not_found') return false;
      throw error;
    }
  }
}
