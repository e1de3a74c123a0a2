import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDir } from '@portcullis/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createLauncher } from './launcher.ts';
import { ends, shellBy, startsPrograms, written } from './run.contract.ts';

const launcher = createLauncher();
afterEach(() => launcher.close());

const shell = shellBy(launcher.run);

describe('a launcher', () => {
  startsPrograms(launcher.run);

  it('runs programs at once, and gives each its own answer', async () => {
    const names = Array.from({ length: 20 }, (_, nth) => `program-${nth}`);
    const answers = await Promise.all(names.map((name) => shell(`echo ${name}`)));
    expect(answers.map(({ stdout }) => stdout.trim())).toEqual(names);
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

  it('runs programs by the same process', async () => {
    const parents = await Promise.all([shell('echo $PPID'), shell('echo $PPID')]);
    parents.push(await shell('echo $PPID'));
    expect(new Set(parents.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it('does not keep a process that has nothing to wait for', async () => {
    const fixture = fileURLToPath(new URL('./launching-process.fixture.ts', import.meta.url));
    const owner = spawn(process.execPath, [fixture, 'true'], { stdio: 'ignore' });
    expect(await once(owner, 'exit')).toEqual([0, null]);
  });
});
