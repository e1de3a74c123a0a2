import {
  type AccessQuestion,
  assertAllowed,
  type Decision,
  decide,
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

export function createRights(folders: () => Promise<ReadonlySet<string>>): AccessRights {
  async function ask(principal: Principal, right: AccessRight): Promise<Decision> {
    return decide(principal, await complete(right));
  }

  async function complete(right: AccessRight): Promise<AccessQuestion> {
    if (!('repository' in right)) return right;
    const { named = null, ...question } = right;
    const names = await folders();
    return { ...question, folders: named === null ? names : new Set([...names, named]) };
  }

  return {
    decide: ask,
    assert: async (principal, right) => assertAllowed(await ask(principal, right)),
  };
}
