/** Bundles `pcs` into one file, as `npm pack` does, and runs it as a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { run } from '@portcullis/embedded';

const APP = path.resolve(import.meta.dirname, '../../apps/pcs');

interface RanPcs {
  code: number | null;
  out: string;
  err: string;
}

interface PcsOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

export type Pcs = (args: readonly string[], options?: PcsOptions) => Promise<RanPcs>;

/** @param dir gets the file; also the home directory of the command */
export async function bundlePcs(dir: string): Promise<{ file: string; pcs: Pcs }> {
  const file = path.join(dir, 'pcs.mjs');
  await run(process.execPath, [path.join(APP, 'scripts', 'bundle.ts'), file], { env: process.env });
  return { file, pcs: (args, options = {}) => runPcs([file, ...args], { cwd: dir, ...options }) };
}

async function runPcs(
  args: readonly string[],
  { env = {}, input = '', cwd }: PcsOptions,
): Promise<RanPcs> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, HOME: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ran: RanPcs = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.err += text;
  });
  child.stdin.on('error', () => {}); // it may exit without reading
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { ...ran, code };
}
