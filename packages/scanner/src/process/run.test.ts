import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '@portcullis/runtime';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { backgroundNiceness, run } from './run.ts';

const OPTIONS = { cwd: '/', env: { PATH: '/usr/bin:/bin' } };

function shell(script: string, options: Partial<Parameters<typeof run>[2]> = {}) {
  return run('sh', ['-c', script], { ...OPTIONS, ...options });
}

describe('a child process', () => {
  it('returns its exit code and its output', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
    });
  });

  it('inherits nothing from our environment', async () => {
    const { stdout } = await shell('env');
    expect(stdout).not.toMatch(/HOME|VITEST|npm_/);
  });

  it('has limited output, of which the end is kept', async () => {
    const { stdout } = await shell('head -c 400000 /dev/zero | tr "\\0" x; echo end');
    expect(stdout).toHaveLength(256 * 1024);
    expect(stdout.endsWith('end\n')).toBe(true);
  });

  it('O20: ends at an abort, with all its children, even when it ignores the request', async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    await using dir = await temporaryDir();
    const file = join(dir.path, 'pid');
    const script = `trap '' TERM; sleep 60 & echo $! > ${file}; wait; sleep 60`;
    const running = shell(script, { signal: controller.signal });
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\d\n/);
    controller.abort(reason);
    // The script alone would take longer than a test may.
    await expect(running).rejects.toBe(reason);
    const pid = Number(await readFile(file, 'utf8'));
    await expect.poll(() => identityOf(pid)).toBe(null);
  });

  it.each([
    [0, 10],
    [10, 10],
    [19, 19],
  ])('started at niceness %i runs at %i in the background', (own, its) => {
    expect(backgroundNiceness(own)).toBe(its);
  });

  it('runs in the background on request', async () => {
    // The priority is set after the start.
    const script = 'while [ "$(nice)" -lt 10 ]; do sleep 0.05; done; nice';
    const { stdout } = await shell(script, { nice: true });
    expect(Number(stdout)).toBe(backgroundNiceness(getPriority()));
  });

  it('ends at its timeout, with that error', async () => {
    expect(await shell('sleep 60', { timeoutMs: 50 })).toMatchObject({
      timedOut: true,
      signal: 'SIGTERM',
    });
  });

  it('that does not exist is an error', async () => {
    await expect(run('/nonexistent', [], OPTIONS)).rejects.toThrow('ENOENT');
  });
});
