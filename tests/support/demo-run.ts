/** Runs the demonstration in a separate cache, which has links to the programs of the real one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { PATIENCE_MS, testCacheDir } from '@portcullis/testing';
import { freePort, until } from './product.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The last line that it prints. */
const TOLD = 'npm run demo -- --remove';
/** The programs may have to be built. */
const STORY_MS = 8 * PATIENCE_MS;

export interface DemoRun {
  child: ChildProcess;
  output: () => string;
  /** Ctrl-C, which a terminal sends to the whole foreground process group. */
  stop(): Promise<void>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

/** @returns the path of the cache below `dir` */
export async function demoCache(dir: string): Promise<string> {
  const cache = path.join(dir, 'cache');
  await mkdir(cache);
  const programs = (await readdir(testCacheDir)).filter((name) => !name.startsWith('demo'));
  for (const name of programs) await symlink(path.join(testCacheDir, name), path.join(cache, name));
  return cache;
}

export function runDemoCommand(
  cache: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): DemoRun {
  const child = spawn('npm', ['run', 'demo', '--silent', '--', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, PORTCULLIS_CACHE: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return {
    child,
    output: () => output,
    ended,
    async stop() {
      if (child.exitCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}

/** Until the story has ended. */
export async function startDemo(cache: string, env: NodeJS.ProcessEnv = {}): Promise<DemoRun> {
  const run = runDemoCommand(cache, [], { PORT: String(await freePort()), ...env });
  await until(
    () => {
      if (run.child.exitCode !== null) throw new Error(`it ended:\n${run.output()}`);
      return run.output().includes(TOLD);
    },
    run.output,
    STORY_MS,
  ).catch(async (error) => {
    await run.stop();
    throw error;
  });
  return run;
}

const LINK = /http:\/\/127\.0\.0\.1:\d+[^\s]*/g;

/** Each address of the page that it printed, once. */
export function linksIn(output: string): string[] {
  return [...new Set(output.match(LINK) ?? [])];
}

/** The address of its product. */
export function originIn(output: string): string {
  const [first] = linksIn(output);
  if (first === undefined) throw new Error(`there is no address in:\n${output}`);
  return new URL(first).origin;
}

/** Of the table at the end; a robot's password is a token. */
export function loginIn(output: string, role: string): [username: string, password: string] {
  const [, username, password] = new RegExp(`^ +${role} +(\\S+) +(\\S+)`, 'm').exec(output) ?? [];
  if (username === undefined || password === undefined)
    throw new Error(`there is no ${role} in:\n${output}`);
  return [username, password];
}
