/**
 * The installation of the kill test: restarted whenever its supervisor was killed, with all
 * processes by name.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, pidOf } from '@portcullis/runtime';
import { type Answer, type StandaloneProduct, startByNpm, tokenOf } from '../../support/product.ts';

export const VICTIMS = [
  'api',
  'worker',
  'notifier',
  'postgres',
  'redis',
  'registry',
  'supervisor',
] as const;
export type Victim = (typeof VICTIMS)[number];

const PASSWORD = 'a long enough password';
export const ADMIN = { username: 'admin', password: PASSWORD };
/** A killed process may leave a request without an answer. */
const REQUEST_TIMEOUT_MS = 20_000;

export interface Request {
  method: string;
  route: string;
  body?: unknown;
  /** `Idempotency-Key`. */
  key?: string;
}

export interface Installation {
  readonly dataDir: string;
  url(): string;
  product(): StandaloneProduct;
  /** Null while no process answers. */
  ask(request: Request): Promise<Answer | null>;
  /** Number of requests with a successful answer. */
  answers(): number;
  /** False when no such process existed at that moment. */
  kill(victim: Victim): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startInstallation(
  dataDir: string,
  env: Record<string, string>,
): Promise<Installation> {
  const settings = { ...env, ADMIN_PASSWORD: PASSWORD };
  let product = await startByNpm(dataDir, settings);
  const token = await tokenOf(product, ADMIN.username, ADMIN.password);
  let answers = 0;

  async function ask({ method, route, body, key }: Request): Promise<Answer | null> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const request = { method, headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
    return fetch(`${product.url}${route}`, {
      ...request,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
      .then(answerOf, () => null)
      .then((answer) => {
        if (answer !== null && answer.status < 500) answers += 1;
        return answer;
      });
  }

  async function kill(victim: Victim): Promise<boolean> {
    const identity = await identityOf(dataDir, victim);
    if (identity === null || !isAlive(identity)) return false;
    process.kill(pidOf(identity), 'SIGKILL');
    if (victim === 'supervisor') product = await startByNpm(dataDir, settings);
    return true;
  }

  return {
    dataDir,
    url: () => product.url,
    product: () => product,
    ask,
    answers: () => answers,
    kill,
    stop: () => product.stop(),
  };
}

/** The supervisor is found by its lock, the other processes by its record. */
async function identityOf(dataDir: string, victim: Victim): Promise<string | null> {
  const file = victim === 'supervisor' ? 'standalone.lock' : path.join('run', `${victim}.json`);
  const text = await readFile(path.join(dataDir, file), 'utf8').catch(() => null);
  if (text === null) return null;
  return victim === 'supervisor' ? text.trim() : JSON.parse(text).identity;
}

async function answerOf(response: Response): Promise<Answer | null> {
  const text = await response.text().catch(() => null);
  if (text === null) return null;
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
