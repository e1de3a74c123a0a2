import {
  type AccessQuestion,
  assertAllowed,
  type Decision,
  decide,
  type Principal,
  type WriteOperation,
} from '@portcullis/domain';

/** An access question; the folders are added from the store. */
export type AccessRight =
  | { action: 'pull' | 'push'; operation?: WriteOperation; repository: string }
  | { action: 'pull_external' | 'push_external' };

export interface AccessRights {
  decide(principal: Principal, right: AccessRight): Promise<Decision>;
  /** @throws forbidden */
  assert(principal: Principal, right: AccessRight): Promise<void>;
}

export function createRights(folders: () => Promise<ReadonlySet<string>>): AccessRights {
  async function ask(principal: Principal, right: AccessRight): Promise<Decision> {
    return decide(principal, await whole(right));
  }

  async function whole(right: AccessRight): Promise<AccessQuestion> {
    return 'repository' in right ? { ...right, folders: await folders() } : right;
  }

  return {
    decide: ask,
    assert: async (principal, right) => assertAllowed(await ask(principal, right)),
  };
}
