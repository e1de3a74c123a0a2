import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { CommandProgram, CommandShape } from './command.ts';
import { completionFor } from './completion.ts';

const PROGRAM: CommandProgram<CommandShape> = {
  name: 'ship',
  purpose: 'moves containers',
  closing: [],
  commands: [
    {
      name: 'load',
      words: ['<crate>'],
      summary: "loads the captain's crate",
      help: [],
      options: {
        speed: { type: 'string', values: ['slow', 'fast'], help: 'how fast' },
        file: { type: 'string', short: 'f', help: 'a file' },
      },
    },
    { name: 'leave', words: [], summary: 'leaves', help: [], options: {} },
  ],
};

/** What bash offers for the last word. */
function offered(...words: string[]): string[] {
  const script = `${completionFor('bash', PROGRAM)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_ship; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('in bash', () => {
  it('a command is completed', () => expect(offered('ship', 'l')).toEqual(['load', 'leave']));
  it('an option is completed', () =>
    expect(offered('ship', 'load', '--')).toEqual(['--speed', '--file', '--json', '--help']));
  it('the value of an option is completed', () =>
    expect(offered('ship', 'load', '--speed', 'f')).toEqual(['fast']));
  it('a file is left to bash', () => expect(offered('ship', 'load', 'cr')).toEqual([]));
});

it('zsh and fish get every command and option, with quotes in texts', () => {
  const zsh = completionFor('zsh', PROGRAM);
  expect(zsh).toContain("'load:loads the captain'\\''s crate'");
  expect(zsh).toContain("'--speed[how fast]:value:(slow fast)'");
  const fish = completionFor('fish', PROGRAM);
  expect(fish).toContain("-l speed -x -a 'slow fast' -d 'how fast'");
  expect(fish).toContain("-l file -s f -r -d 'a file'");
});
