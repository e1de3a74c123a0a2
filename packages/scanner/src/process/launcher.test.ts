import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf } from '@portcullis/runtime';
import { temporaryDir } from '@portcullis/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createLauncher } from './launcher.ts';
import type { RunOptions } from './run.ts';

const OPTIONS = { cwd: '/', env: { PATH: '/usr/bin:/bin' } };

const launcher = createLauncher();
afterEach(() => launcher.close());

const shell = (script: string, options: Partial<RunOptions> = {}) =>
  launcher.run('sh', ['-c', script], { ...OPTIONS, ...options });

/** The number that a script wrote into the file. */
async function written(file: string): Promise<number> {
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\d\n/);
  return Number(await readFile(file, 'utf8'));
}

const ends = (pid: number) => expect.poll(() => identityOf(pid)).toBe(null);

describe('a launcher', () => {
  it('returns how a program ended, and what it wrote', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
    });
  });

  it('runs programs at once, and gives each its own answer', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `program-${nth}`);
    const answers = await Promise.all(names.map((name) => shell(`echo ${name}`)));
    expect(answers.map(({ stdout }) => stdout.trim())).toEqual(names);
  });

  it('gives programs nothing of its environment, and no standard input', async () => {
    const { stdout } = await shell('env; cat');
    expect(stdout).not.toMatch(/HOME|VITEST|npm_|NODE/);
  });

  it('says which program does not exist', async () => {
    const failed = launcher.run('/nonexistent', [], OPTIONS);
    await expect(failed).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends a program at its timeout', async () => {
    const result = await shell('sleep 60', { timeoutMs: 50 });
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
  });

  it('ends a program at an abort, with all its children, and refuses one that is aborted', async () => {
    await using dir = await temporaryDir();
    const file = join(dir.path, 'pid');
    const reason = new Error('cancelled');
    const aborting = new AbortController();
    const script = `trap '' TERM; sleep 60 & echo $! > ${file}; wait; sleep 60`;
    const running = shell(script, { signal: aborting.signal });
    const pid = await written(file);
    aborting.abort(reason);
    await expect(running).rejects.toBe(reason);
    await ends(pid);
    await expect(shell('true', { signal: aborting.signal })).rejects.toBe(reason);
  });

  it('whose process is killed ends its programs, and starts the next ones', async () => {
    await using dir = await temporaryDir();
    const [file, parent] = [join(dir.path, 'pid'), join(dir.path, 'parent')];
    const running = shell(`echo $PPID > ${parent}; echo $$ > ${file}; sleep 60`);
    const pid = await written(file);
    process.kill(await written(parent), 'SIGKILL');
    expect(await running).toMatchObject({ code: null, signal: 'SIGKILL' });
    await ends(pid);
    expect(await shell('echo again')).toMatchObject({ code: 0, stdout: 'again\n' });
  });

  it('ends its programs when it is closed', async () => {
    await using dir = await temporaryDir();
    const file = join(dir.path, 'pid');
    const running = shell(`echo $$ > ${file}; sleep 60`);
    const pid = await written(file);
    launcher.close();
    expect(await running).toMatchObject({ code: null, signal: 'SIGKILL' });
    await ends(pid);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leaves nothing of a process that is ended by %s',
    async (signal) => {
      await using dir = await temporaryDir();
      const [file, parent] = [join(dir.path, 'pid'), join(dir.path, 'parent')];
      const fixture = fileURLToPath(new URL('./launching-process.fixture.ts', import.meta.url));
      const script = `echo $PPID > ${parent}; echo $$ > ${file}; sleep 60`;
      const owner = spawn(process.execPath, [fixture, script], { stdio: 'ignore' });
      const [pid, small] = [await written(file), await written(parent)];
      owner.kill(signal);
      await once(owner, 'exit');
      await ends(pid);
      await ends(small);
    },
  );

  it('that is prepared runs programs by the same process', async () => {
    launcher.prepare();
    const parents = await Promise.all([shell('echo $PPID'), shell('echo $PPID')]);
    launcher.prepare();
    parents.push(await shell('echo $PPID'));
    expect(new Set(parents.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it('does not keep a process that has nothing to wait for', async () => {
    const fixture = fileURLToPath(new URL('./launching-process.fixture.ts', import.meta.url));
    const owner = spawn(process.execPath, [fixture, 'true'], { stdio: 'ignore' });
    expect(await once(owner, 'exit')).toEqual([0, null]);
  });
});
