/**
 * Bounds the costly requests of an account at this process: a few run, a few more wait, and the
 * rest are refused. The work of one depends on what accounts have stored, so that counting requests
 * does not bound it. A request whose client leaves gives its place back.
 */
import { rateLimited } from '@portcullis/errors';

export type AccountTurns = <T>(
  accountId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

export interface TurnLimits {
  atOnce: number;
  waiting: number;
}

interface Account {
  running: number;
  waiting: (() => void)[];
}

const LIMITS: TurnLimits = { atOnce: 4, waiting: 32 };
const RETRY_AFTER_SECONDS = 5;

export function createAccountTurns({ atOnce, waiting: most }: TurnLimits = LIMITS): AccountTurns {
  const accounts = new Map<string, Account>();

  function leave(id: string, account: Account): void {
    account.running -= 1;
    account.waiting.shift()?.();
    if (account.running === 0 && account.waiting.length === 0) accounts.delete(id);
  }

  function turn(account: Account, signal: AbortSignal): Promise<void> | undefined {
    if (account.running < atOnce) {
      account.running += 1;
      return undefined;
    }
    if (account.waiting.length >= most) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      signal.removeEventListener('abort', gone);
      account.running += 1;
      resolve();
    };
    const gone = () => {
      account.waiting.splice(account.waiting.indexOf(start), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', gone, { once: true });
    account.waiting.push(start);
    return promise;
  }

  return async (id, signal, work) => {
    signal.throwIfAborted();
    const account = accounts.get(id) ?? { running: 0, waiting: [] };
    accounts.set(id, account);
    await turn(account, signal);
    try {
      return await work();
    } finally {
      leave(id, account);
    }
  };
}

function tooMany(): Error {
  return rateLimited(
    'COSTLY_REQUESTS_MANY',
    'Too many requests of this account that read images or decide about them are running.',
    { retryAfter: RETRY_AFTER_SECONDS },
  );
}
