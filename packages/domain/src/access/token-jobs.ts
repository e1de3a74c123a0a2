/**
 * Which jobs of its account a limited token reaches: jobs belong to the account, which may pull
 * what the token may not.
 */
import { LOCAL_REGISTRY_ID } from '../location/location.ts';
import { decide } from './access.ts';
import type { Principal } from './principal.ts';

export interface SourceImage {
  /** `LOCAL_REGISTRY_ID` for the built-in registry. */
  registryId: string | null;
  repository: string;
}

type Asking = Pick<Principal, 'isAdmin' | 'grants' | 'tokenActions' | 'tokenFolders'>;

/** Whether the token could pull the image now; always for a credential that is not limited. */
export function mayUseJobsOf(
  principal: Asking,
  { registryId, repository }: SourceImage,
  folders: ReadonlySet<string>,
): boolean {
  if (principal.tokenActions === undefined) return true;
  const question =
    registryId === LOCAL_REGISTRY_ID
      ? ({ action: 'pull', repository, folders } as const)
      : ({ action: 'pull_external' } as const);
  return decide(principal, question).allowed;
}

/** A token for reports of all folders reads about every job, and gets none of the images. */
export function mayReadJobsOf(
  principal: Asking,
  source: SourceImage,
  folders: ReadonlySet<string>,
): boolean {
  const isReporting = principal.tokenActions?.has('report') && principal.tokenFolders === 'all';
  return isReporting === true || mayUseJobsOf(principal, source, folders);
}
