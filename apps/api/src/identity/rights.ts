import {
  type AccessQuestion,
  assertAllowed,
  type Decision,
  decide,
  type KnownFolders,
  type Principal,
  type WriteOperation,
} from '@portcullis/domain';

/**
 * An access question; the folders are added from the store. `named` is a folder that the caller
 * named: what does not exist is not the root folder, and is refused as a folder without rights.
 */
export type AccessRight =
  | {
      action: 'pull' | 'push';
      operation?: WriteOperation;
      repository: string;
      named?: string | null;
    }
  | { action: 'pull_external' | 'push_external' };

export interface AccessRights {
  decide(principal: Principal, right: AccessRight): Promise<Decision>;
  /** @throws forbidden */
  assert(principal: Principal, right: AccessRight): Promise<void>;
}

export function createRights(knownFolders: () => Promise<KnownFolders>): AccessRights {
  async function ask(principal: Principal, right: AccessRight): Promise<Decision> {
    return decide(principal, await complete(right));
  }

  async function complete(right: AccessRight): Promise<AccessQuestion> {
    if (!('repository' in right)) return right;
    const { named = null, ...question } = right;
    const { folders, mirrors } = await knownFolders();
    return {
      ...question,
      folders: named === null ? folders : new Set([...folders, named]),
      mirrors,
    };
  }

  return {
    decide: ask,
    assert: async (principal, right) => assertAllowed(await ask(principal, right)),
  };
}
