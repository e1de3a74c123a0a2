/**
 * Runs at most so many works at once. Accounts take turns, and one account never has all places, so
 * that its works delay those of another account by no more than one work.
 */
export type FairTurns = <T>(account: string, work: () => Promise<T>) => Promise<T>;

interface Account {
  running: number;
  waiting: (() => void)[];
}

/** @param atOnce at least 2 */
export function createFairTurns(atOnce: number): FairTurns {
  /** In the order of their turns. */
  const accounts = new Map<string, Account>();
  let running = 0;

  function startNext(): void {
    for (const [name, account] of accounts) {
      if (running >= atOnce) return;
      const start = account.running < atOnce - 1 ? account.waiting.shift() : undefined;
      if (start === undefined) continue;
      // To the end of the order, where this loop meets it again.
      accounts.delete(name);
      accounts.set(name, account);
      account.running += 1;
      running += 1;
      start();
    }
  }

  async function turn(name: string): Promise<Account> {
    const account = accounts.get(name) ?? { running: 0, waiting: [] };
    accounts.set(name, account);
    const { promise, resolve } = Promise.withResolvers<void>();
    account.waiting.push(resolve);
    startNext();
    await promise;
    return account;
  }

  return async (name, work) => {
    const account = await turn(name);
    try {
      return await work();
    } finally {
      account.running -= 1;
      running -= 1;
      if (account.running === 0 && account.waiting.length === 0) accounts.delete(name);
      startNext();
    }
  };
}
