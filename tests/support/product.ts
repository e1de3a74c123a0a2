/** Starts the product on one machine, with a minimal client of its API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { readServiceSecrets, serviceUrls, standalonePaths } from '@portcullis/embedded';
import { eventually, PATIENCE_MS, processEnv } from '@portcullis/testing';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Product {
  url: string;
  /** The DATA_DIRs of its workers. */
  dataDirs(): string[];
  /** Host name at which the product reaches the test's other registry, if not by its address. */
  upstreamHost?: string;
  output: () => string;
  firstPassword: string | null;
  databaseUrl: () => Promise<string>;
  running: () => Promise<string[]>;
  /** Ctrl-C, which a terminal sends to the whole foreground process group. */
  stop: () => Promise<void>;
}

/** A product on one machine, under one supervisor. */
export interface StandaloneProduct extends Product {
  dataDir: string;
  child: ChildProcess;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A command, and what it needs in its environment. */
interface StartCommand {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** As users start it: takes twice as long, because it looks for changed sources first. */
const BY_NPM: StartCommand = { command: 'npm', args: ['start', '--silent'], env: {} };

/** What `npm start` runs in the end. It ends with the process of the test. */
const DIRECTLY: StartCommand = {
  command: process.execPath,
  args: ['apps/standalone/src/main.ts'],
  env: {
    NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/node'),
    NODE_OPTIONS: processEnv.NODE_OPTIONS,
    PATH: [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
    PORTCULLIS_PARENT: String(process.pid),
  },
};

/** Starts it without npm, and waits until it reports that it is ready. */
export function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<StandaloneProduct> {
  return startOnFreePort(DIRECTLY, dataDir, env);
}

/** For the tests of `npm start` itself. */
export function startByNpm(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<StandaloneProduct> {
  return startOnFreePort(BY_NPM, dataDir, env);
}

/** Retries where another program took the port in between. */
async function startOnFreePort(
  start: StartCommand,
  dataDir: string,
  env: Record<string, string>,
): Promise<StandaloneProduct> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(start, await freePort(), dataDir, env);
    } catch (error) {
      if (attempt === 3 || !/:\d+ is in use/.test(String(error))) throw error;
    }
  }
}

async function startAt(
  start: StartCommand,
  port: number,
  dataDir: string,
  env: Record<string, string>,
): Promise<StandaloneProduct> {
  const child = spawn(start.command, start.args, {
    cwd: ROOT,
    env: {
      ...process.env,
      ...start.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      EPSS_URL: 'off',
      KEV_URL: 'off',
      // How many requests a test sends in a minute depends on the machine.
      RATE_LIMIT_ENABLED: 'false',
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await until(
    () => {
      if (child.exitCode !== null)
        throw new Error(`the product ended with ${child.exitCode}:\n${output}`);
      return /ready/i.test(output) && output.includes(`:${port}`);
    },
    () => output,
    2 * PATIENCE_MS,
  ).catch((error) => {
    if (child.pid !== undefined && !ended(child)) process.kill(-child.pid, 'SIGINT');
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    dataDirs: () => [dataDir],
    output: () => output,
    firstPassword: /password\W+(\S+)/i.exec(output)?.[1] ?? null,
    databaseUrl: async () => (await embeddedUrls(dataDir)).postgres,
    running: () => processesOf(dataDir),
    child,
    stop: async () => {
      if (ended(child) || child.pid === undefined) return;
      const exit = once(child, 'close');
      process.kill(-child.pid, 'SIGINT');
      await exit;
    },
  };
}

export async function embeddedUrls(dataDir: string): ReturnType<typeof serviceUrls> {
  const secrets = await readServiceSecrets(standalonePaths(dataDir).secrets);
  if (secrets === null) throw new Error(`there is no installation in ${dataDir}`);
  const outside = { databaseUrl: undefined, redisUrl: undefined, registryUrl: undefined };
  return serviceUrls({ dataDir, ...outside }, secrets);
}

function ended(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  why: () => string = () => '',
  patienceMs = PATIENCE_MS,
): Promise<void> {
  await eventually(condition, Boolean, { describe: why, patienceMs, intervalMs: 100 });
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it asserts on
  body: any;
  headers: Headers;
}

export type Call = (method: string, route: string, body?: unknown) => Promise<Answer>;

/** A caller with a bearer token, or none. */
export function caller(product: { url: string }, token?: string): Call {
  return async (method, route, body) => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(`${product.url}${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  };
}

/** The body of a success. Any other answer is an error that has its status and its body. */
export async function bodyOf(
  answer: Promise<Pick<Answer, 'status' | 'body'>>,
): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 200 && status < 300) return body;
  throw new Error(`an answer with ${status}: ${JSON.stringify(body)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The token of a new session. */
export async function tokenOf(
  product: { url: string },
  username: string,
  password: string,
): Promise<string> {
  const login = caller(product)('POST', '/api/auth/login', { username, password });
  return (await bodyOf(login)).access_token;
}

export async function logIn(
  product: { url: string },
  username: string,
  password: string,
): Promise<Call> {
  return caller(product, await tokenOf(product, username, password));
}

/** Polls a job until it settles. */
export async function settled(
  call: Call,
  jobId: string,
  patienceMs = 2 * PATIENCE_MS,
): Promise<Answer['body']> {
  let job: Answer['body'];
  await until(
    async () => {
      const { status, body } = await call('GET', `/api/staging/jobs/${jobId}`);
      job = body;
      return status === 200 && ['staged', 'pushed', 'failed', 'cancelled'].includes(job.status);
    },
    () => JSON.stringify(job?.timeline ?? job),
    patienceMs,
  );
  return job;
}

/** Processes with the data directory in their command line or environment. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const found: string[] = [];
  for (const pid of pids) {
    const texts = await Promise.all(
      ['cmdline', 'environ'].map((file) =>
        readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
      ),
    );
    if (texts.join('').includes(dataDir)) found.push(`${pid} ${texts[0]?.replaceAll('\0', ' ')}`);
  }
  return found;
}
