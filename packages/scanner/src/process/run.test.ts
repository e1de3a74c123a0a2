import { getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { shellBy, startsPrograms } from './run.contract.ts';
import { backgroundNiceness, run } from './run.ts';

const shell = shellBy(run);

describe('a child process', () => {
  startsPrograms(run);

  it('has limited output, of which the end is kept', async () => {
    const { stdout } = await shell('head -c 400000 /dev/zero | tr "\\0" x; echo end');
    expect(stdout).toHaveLength(256 * 1024);
    expect(stdout.endsWith('end\n')).toBe(true);
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
});
