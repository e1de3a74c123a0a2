/** What every way to start programs keeps to: in this process, or by a launcher. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf } from '@portcullis/runtime';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import type { RunOptions, RunProgram } from './run.ts';

const OPTIONS = { cwd: '/', env: { PATH: '/usr/bin:/bin' } };

export const shellBy =
  (run: RunProgram) =>
  (script: string, options: Partial<RunOptions> = {}) =>
    run('sh', ['-c', script], { ...OPTIONS, ...options });

/** The number that a script wrote into the file. */
export async function written(file: string): Promise<number> {
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\d\n/);
  return Number(await readFile(file, 'utf8'));
}

export const ends = (pid: number) => expect.poll(() => identityOf(pid)).toBe(null);

export function startsPrograms(run: RunProgram): void {
  const shell = shellBy(run);

  it('returns the exit code and the output', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
    });
  });

  it('gives nothing of our environment, and no standard input', async () => {
    const { stdout } = await shell('env; cat');
    expect(stdout).not.toMatch(/HOME|VITEST|npm_|NODE/);
  });

  it('O20: ends a program at an abort, with all its children, even when it ignores the request', async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    await using dir = await temporaryDir();
    const file = join(dir.path, 'pid');
    const script = `trap '' TERM; sleep 60 & echo $! > ${file}; wait; sleep 60`;
    const running = shell(script, { signal: controller.signal });
    const pid = await written(file);
    controller.abort(reason);
    // The script alone would take longer than a test may.
    await expect(running).rejects.toBe(reason);
    await ends(pid);
    await expect(shell('true', { signal: controller.signal })).rejects.toBe(reason);
  });

  it('ends a program at its timeout, with that error', async () => {
    expect(await shell('sleep 60', { timeoutMs: 50 })).toMatchObject({
      timedOut: true,
      signal: 'SIGTERM',
    });
  });

  it('says that a program does not exist', async () => {
    await expect(run('/nonexistent', [], OPTIONS)).rejects.toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('ENOENT'),
    });
  });
}
