import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const OUTPUT = join(import.meta.dirname, 'line-output.ts');

/** A process that writes lines to a pipe, after a line on its standard input. */
function writing(program: string): ChildProcess {
  const source = `
    import { lineOutput } from ${JSON.stringify(OUTPUT)};
    const output = lineOutput(1);
    const say = (from, to) => { for (let i = from; i < to; i++) output.write('line ' + i + '\\n'); };
    process.stdin.once('data', async () => { ${program} });
    process.stderr.write('ready');
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', source]);
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');

it.each([
  ['goes on', 'say(0, 20000); setTimeout(() => say(20000, 40000), 50); process.stdin.unref();'],
  [
    'exits at once',
    'say(0, 20000); setTimeout(() => { say(20000, 40000); process.exit(0); }, 50);',
  ],
])('a process that %s writes all lines in order', async (_, program) => {
  const child = writing(program);
  child.stdin?.end('go');
  expect(child.stdout && (await text(child.stdout))).toBe(numbered(40_000));
});

it.each([
  ['and exits', 'say(0, 3); process.exit(0);'],
  [
    'and again later, and exits',
    'say(0, 3); setTimeout(() => { say(3, 6); process.exit(0); }, 50);',
  ],
  ['and ends', 'say(0, 3); process.stdin.unref();'],
  ['before a fatal end', 'say(0, 3); output.flushSync(); process.exit(0);'],
])('a process whose reader is gone writes three lines %s', async (_, program) => {
  const child = writing(program);
  await once(child.stderr ?? child, 'data');
  child.stdout?.destroy();
  await once(child.stdout ?? child, 'close');
  child.stdin?.end('go');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
