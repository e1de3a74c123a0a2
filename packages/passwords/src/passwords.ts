/** Hashes and compares passwords in turns, so that no client keeps others waiting. */
import { Worker } from 'node:worker_threads';
import { rateLimited, unavailable } from '@portcullis/errors';
import { createLine } from './line.ts';

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
   * both. Of one client, by its address, few wait at once; where there are more, the oldest of them
   * is refused.
   * @throws rate_limited `LOGINS_BUSY`
   */
  verify(password: string, hash: string | null, client?: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Request extends PasswordTask {
  client: string | undefined;
  resolve(result: string | boolean): void;
  reject(error: Error): void;
}

const COST = 12;
/** At a third of a second each, a client further back would time out. */
const ROOM = { most: 64, mostOfClient: 8 };

export function createPasswords({ cost = COST }: { cost?: number } = {}): Passwords {
  const waiting = createLine<Request>(ROOM);
  /** The one that the thread works on: all others can still leave. */
  let running: Request | null = null;
  let worker: Worker | null = null;
  let lastId = 0;
  /**
   * Hash of a random password, made once, at the current cost, to compare unknown accounts with.
   */
  let decoy: Promise<string> | null = null;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, result }: { id: number; result: string | boolean }) => {
      if (running?.id === id) running.resolve(result);
      runNext();
    });
    let cause: unknown;
    started.on('error', (error) => {
      cause = error;
    });
    // It follows an error: a request between the two would wait for a thread that is gone.
    started.on('exit', () => {
      worker = null;
      fail(unavailable('PASSWORDS_UNAVAILABLE', 'passwords can not be checked', { cause }));
    });
    return started;
  }

  function runNext(): void {
    running = waiting.next() ?? null;
    // The thread keeps the process alive while requests wait.
    if (!running) {
      worker?.unref();
      return;
    }
    const { id, password, hash, cost } = running;
    worker ??= start();
    worker.ref();
    worker.postMessage({ id, password, hash, cost } satisfies PasswordTask);
  }

  function fail(error: Error): void {
    const failed = [running, ...waiting.clear()];
    running = null;
    for (const request of failed) request?.reject(error);
  }

  function run(password: string, hash: string | null, client?: string): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      const request = { id: ++lastId, password, hash, cost, client, resolve, reject };
      waiting.add(request)?.reject(busy());
      if (!running) runNext();
    });
  }

  async function hash(password: string): Promise<string> {
    return String(await run(password, null));
  }

  function decoyHash(): Promise<string> {
    if (decoy) return decoy;
    decoy = hash(crypto.randomUUID());
    decoy.catch(() => {
      decoy = null;
    });
    return decoy;
  }

  async function verify(password: string, known: string | null, client?: string): Promise<boolean> {
    const unknown = decoyHash();
    const matches = (await run(password, known ?? (await unknown), client)) === true;
    return matches && known !== null;
  }

  async function close(): Promise<void> {
    await worker?.terminate();
  }

  return { hash, verify, close };
}

function busy(): Error {
  return rateLimited('LOGINS_BUSY', 'Too many logins at once.', { retryAfter: 5 });
}
