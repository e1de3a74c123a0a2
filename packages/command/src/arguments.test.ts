import { describe, expect, it } from 'vitest';
import { commandHelp, generalHelp, parseCommand } from './arguments.ts';
import type { CommandProgram, CommandShape } from './command.ts';

const PROGRAM: CommandProgram<CommandShape> = {
  name: 'ship',
  purpose: 'moves containers',
  closing: ['The end.'],
  options: { port: { type: 'string', help: 'the harbour' } },
  commands: [
    {
      name: 'load',
      words: ['<crate>'],
      summary: 'loads',
      help: ['Loads a crate.'],
      options: {
        speed: { type: 'string', short: 's', values: ['slow', 'fast'], help: 'how fast' },
      },
    },
    { name: 'list', words: ['[crate…]'], summary: 'lists', help: [], options: {} },
  ],
};
const parse = (...argv: string[]) => parseCommand(argv, PROGRAM);

describe('a command line', () => {
  it('has words, its own options and those of all commands', () => {
    const parsed = parse('load', 'box', '-s', 'fast', '--port', 'A');
    expect(parsed?.words).toEqual(['box']);
    expect(['speed', 'port'].map((name) => parsed?.value(name))).toEqual(['fast', 'A']);
  });

  it('may have any number of words where the command takes them', () =>
    expect(parse('list', 'a', 'b', 'c')?.words).toHaveLength(3));

  it.each([
    ['an unknown command', ['sail'], 'there is no command "sail"; `ship help` lists them'],
    ['a missing word', ['load'], 'usage: ship load <crate>'],
    ['a word too many', ['load', 'a', 'b'], 'usage: ship load <crate>'],
    ['an unknown option', ['load', 'a', '--far'], "Unknown option '--far'; see `ship help load`"],
    ['an unknown value', ['load', 'a', '--speed', 'odd'], '--speed is one of slow, fast'],
  ])('with %s is wrong usage', (_, argv, message) =>
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'USAGE', message })),
  );

  it.each([[[]], [['--help']], [['help']]])('%j asks for the general help', (argv) => {
    expect(parseCommand(argv, PROGRAM)).toBeNull();
    expect(generalHelp(PROGRAM)).toContain('load  loads');
  });

  it.each([[['help', 'load']], [['load', '--help']], [['load', '-h']]])(
    '%j asks for the help of a command, which needs no words and lists its options',
    (argv) => {
      const parsed = parse(...argv);
      expect(parsed?.flag('help')).toBe(true);
      const help = parsed ? commandHelp(PROGRAM, parsed.command) : '';
      expect(help).toContain('-s, --speed <value>');
      expect(help).toContain('--port <value>');
    },
  );
});
