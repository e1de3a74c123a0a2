/** The processes of one release, with services that several releases share. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort, until } from '../../support/product.ts';
import { nodeOf } from './release.ts';

export interface Release {
  /** Name in messages. */
  name: string;
  tree: string;
}

export interface Running extends AsyncDisposable {
  name: string;
  url: string;
  stop(): Promise<void>;
}

export async function migrate({ tree }: Release, env: Record<string, string>): Promise<void> {
  await promisify(execFile)(nodeOf(tree), ['apps/cli/src/main.ts', 'migrate'], {
    cwd: tree,
    env: environment(env),
  });
}

/** Starts an api and a worker of a release; resolves when the api answers. */
export async function startRelease(
  release: Release,
  env: Record<string, string>,
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { ...env, HOST: '127.0.0.1', PORT: String(port) };
  const processes = ['api', 'worker'].map((name) => start(release, name, settings));
  const stop = async () => void (await Promise.all(processes.map(end)));
  const running = { name: release.name, url, stop, [Symbol.asyncDispose]: stop };
  await until(
    async () => {
      for (const { child, name, output } of processes)
        if (hasEnded(child)) throw new Error(`the ${name} of ${release.name} ended:\n${output()}`);
      return fetch(`${url}/api/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    () => processes.map(({ output }) => output()).join('\n'),
  ).catch(async (error) => {
    await stop();
    throw error;
  });
  return running;
}

interface Started {
  name: string;
  child: ChildProcess;
  output(): string;
}

function start({ tree }: Release, name: string, env: Record<string, string>): Started {
  const child = spawn(nodeOf(tree), [`apps/${name}/src/main.ts`], {
    cwd: tree,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  return { name, child, output: () => output };
}

async function end({ child }: Started): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Of the caller's environment only the search path and home directories. */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...env };
}
