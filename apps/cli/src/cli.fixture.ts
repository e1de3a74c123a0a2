/** Runs the command as a separate process, as people do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import { processEnv } from '@portcullis/testing';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  env: Record<string, string>;
  input?: string | AsyncIterable<Uint8Array>;
  /** A program with arguments that runs the command line that follows them. */
  within?: readonly string[];
  /** Receives messages as they are printed. */
  onNote?: (text: string, kill: () => void) => void;
  /** Kills the command when it resolves. */
  killAfter?: Promise<unknown>;
}

/** Standard output is raw: `runCli` returns it as text. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { HOME = '', PORTCULLIS_CACHE = '' } = process.env;
  const own = [process.execPath, path.join(import.meta.dirname, 'main.ts'), ...args];
  const [program = '', ...words] = [...(options.within ?? []), ...own];
  const child = spawn(program, words, {
    env: { ...processEnv, HOME, PORTCULLIS_CACHE, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  options.killAfter?.then(kill, kill);
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.err += text;
    options.onNote?.(text, kill);
  });
  child.stdin.on('error', () => {}); // it may exit without reading
  const { input = '' } = options;
  if (typeof input === 'string') child.stdin.end(input);
  else Readable.from(input).pipe(child.stdin);
  const [code] = await once(child, 'close');
  return { ...ran, code };
}
