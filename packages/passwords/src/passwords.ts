import { Worker } from 'node:worker_threads';
import { rateLimited, unavailable } from '@portcullis/errors';

export interface PasswordTask {
  id: number;
  password: string;
  /** The hash to compare with; null to make one. */
  hash: string | null;
  cost: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for an unknown account (`null`) as for a wrong password, and returns false for
   * both. Of one client, by its address, few wait at once.
   * @throws rate_limited `LOGINS_BUSY`
   */
  verify(password: string, hash: string | null, client?: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  client: string | undefined;
  resolve(result: string | boolean): void;
  reject(error: Error): void;
}

const COST = 12;
/** At a third of a second each, a client further back would time out. */
const MAX_WAITING = 64;
/** Of one address, so that it does not hold up the logins of all others. */
const MAX_WAITING_OF_CLIENT = 8;

export function createPasswords({ cost = COST }: { cost?: number } = {}): Passwords {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  /**
   * Hash of a random password, made once, at the current cost, to compare unknown accounts with.
   */
  let decoy: Promise<string> | null = null;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, result }: { id: number; result: string | boolean }) =>
      settle(id)?.resolve(result),
    );
    started.on('error', (cause) =>
      fail(unavailable('PASSWORDS_UNAVAILABLE', 'passwords can not be checked', { cause })),
    );
    started.on('exit', () => {
      worker = null;
      fail(unavailable('PASSWORDS_UNAVAILABLE', 'passwords can not be checked'));
    });
    return started;
  }

  function settle(id: number): Waiting | undefined {
    const task = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    return task;
  }

  function fail(error: Error): void {
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  }

  function assertRoom(client: string | undefined): void {
    const own = [...waiting.values()].filter((each) => each.client === client).length;
    if (waiting.size < MAX_WAITING && (client === undefined || own < MAX_WAITING_OF_CLIENT)) return;
    throw rateLimited('LOGINS_BUSY', 'Too many logins at once.', { retryAfter: 5 });
  }

  function run(password: string, hash: string | null, client?: string): Promise<string | boolean> {
    assertRoom(client);
    worker ??= start();
    // The thread keeps the process alive while requests wait.
    worker.ref();
    const task: PasswordTask = { id: ++lastId, password, hash, cost };
    return new Promise((resolve, reject) => {
      waiting.set(task.id, { client, resolve, reject });
      worker?.postMessage(task);
    });
  }

  async function hash(password: string): Promise<string> {
    return String(await run(password, null));
  }

  async function verify(password: string, known: string | null, client?: string): Promise<boolean> {
    decoy ??= hash(crypto.randomUUID());
    const matches = (await run(password, known ?? (await decoy), client)) === true;
    return matches && known !== null;
  }

  async function close(): Promise<void> {
    await worker?.terminate();
  }

  return { hash, verify, close };
}
