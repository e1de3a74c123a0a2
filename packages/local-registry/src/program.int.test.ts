import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runTied } from './program.ts';

const SHELL = { path: '/bin/sh', env: {} };
const PROGRAM = 'echo $$; exec sleep 60';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('returns the output of the program and its exit', async () => {
  const lines: string[] = [];
  const options = {
    signal: new AbortController().signal,
    line: (text: string) => void lines.push(text),
  };
  const args = ['-c', 'echo one; echo two >&2; exit 3'];
  expect(await runTied(SHELL, args, options)).toEqual({ code: 3 });
  expect(lines.sort()).toEqual(['one', 'two']);
});

it('an aborted program is dead before the abort is reported', async () => {
  const abort = new AbortController();
  let pid = 0;
  const line = (text: string) => {
    // The shell prints an additional last line.
    pid ||= Number(text);
    abort.abort(new Error('enough'));
  };
  await expect(runTied(SHELL, ['-c', PROGRAM], { signal: abort.signal, line })).rejects.toThrow(
    'enough',
  );
  expect(pid).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(false);
});

it('the program dies with a process that is killed: it must not go on deleting', async () => {
  const child = fork(path.join(import.meta.dirname, 'tied-process.fixture.ts'), [PROGRAM]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [pid] = (await once(child, 'message')) as [number];
  expect(isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => isAlive(pid)).toBe(false);
});
