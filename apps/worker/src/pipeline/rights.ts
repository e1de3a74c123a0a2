/** Checks the rights of the account that a job runs for, as they are when it runs. */
import {
  type AccessQuestion,
  assertAllowed,
  decide,
  folderOf,
  mayOverride,
  type Principal,
  type RequiredAccess,
  type ScanOverrides,
  type ScanPolicy,
} from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';
import type { Accounts } from './accounts.ts';

export interface JobRights {
  principal(userId: string): Promise<Principal>;
  /** @throws forbidden */
  assert(principal: Principal, question: RequiredAccess): Promise<void>;
  /** As `assert` for many. @throws forbidden for the first refusal */
  assertAll(principal: Principal, questions: Iterable<RequiredAccess>): Promise<void>;
  /** @throws forbidden */
  assertOverride(principal: Principal, overrides: ScanOverrides): Promise<void>;
  /** The repositories of the local registry that the account may read. */
  readable(principal: Principal, repositories: string[]): Promise<string[]>;
  /** The folder of the local registry that the repository is in. */
  folderOf(repository: string): Promise<string>;
}

export function createJobRights(accounts: Accounts, policy: () => Promise<ScanPolicy>): JobRights {
  async function principal(userId: string): Promise<Principal> {
    const account = await accounts.find(userId);
    if (account === null)
      throw forbidden('ACCOUNT_DISABLED', 'the account this job runs for is disabled or gone');
    const { user, grants } = account;
    const { id, username, isAdmin, canBypassVulnBlock } = user;
    return { id, username, isAdmin, canBypassVulnBlock, auth: 'system', grants };
  }

  async function complete(question: RequiredAccess): Promise<AccessQuestion> {
    return 'repository' in question
      ? { ...question, ...(await accounts.knownFolders()) }
      : question;
  }

  return {
    principal,
    assert: async (principal, question) =>
      assertAllowed(decide(principal, await complete(question))),
    async assertAll(principal, questions) {
      for (const question of questions) assertAllowed(decide(principal, await complete(question)));
    },
    assertOverride: async (principal, overrides) =>
      assertAllowed(mayOverride(await policy(), overrides, principal)),
    readable: async (principal, repositories) => {
      const folders = await accounts.folders();
      return repositories.filter(
        (repository) => decide(principal, { action: 'pull', repository, folders }).allowed,
      );
    },
    folderOf: async (repository) => folderOf(repository, await accounts.folders()),
  };
}
