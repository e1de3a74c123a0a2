/**
 * Parses argv into a command and its options. Secrets are never arguments: the process list shows
 * them to every account.
 */
import { parseArgs } from 'node:util';
import { invalid } from '@portcullis/errors';
import type { CommandProgram, CommandShape, Option } from './command.ts';

export interface ParsedCommand<C extends CommandShape> {
  command: C;
  /** The words after the command's name. */
  words: readonly string[];
  flag(name: string): boolean;
  value(name: string): string | undefined;
}

const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print one JSON object, for programs' },
  help: { type: 'boolean', short: 'h', help: 'show this' },
};

/** Null: help is wanted, or help about `commands` in general. @throws invalid `USAGE` */
export function parseCommand<C extends CommandShape>(
  argv: readonly string[],
  program: CommandProgram<C>,
): ParsedCommand<C> | null {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return null;
  const requested = name === 'help' ? rest[0] : name;
  if (requested === undefined) return null;
  const command = program.commands.find((each) => each.name === requested);
  if (!command)
    throw usage(`there is no command "${requested}"; \`${program.name} help\` lists them`);
  return parseWords(program, command, name === 'help' ? ['--help'] : rest);
}

/** Its own, those of all commands of the program, and those of every program. */
export function optionsOf(
  program: CommandProgram<CommandShape>,
  command: CommandShape,
): Readonly<Record<string, Option>> {
  return { ...command.options, ...program.options, ...COMMON };
}

function parseWords<C extends CommandShape>(
  program: CommandProgram<C>,
  command: C,
  args: string[],
): ParsedCommand<C> {
  const { values, positionals: words } = parse(program, command, args);
  const flag = (option: string) => values[option] === true;
  const value = (option: string) => {
    const given = values[option];
    return typeof given === 'string' ? given : undefined;
  };
  if (!flag('help')) {
    checkWords(program.name, command, words);
    checkValues(command, value);
  }
  return { command, words, flag, value };
}

function parse(
  program: CommandProgram<CommandShape>,
  command: CommandShape,
  args: string[],
): {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
} {
  const options = Object.fromEntries(
    Object.entries(optionsOf(program, command)).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: { ...values }, positionals };
  } catch (cause) {
    // Node's first sentence names the option; the second is about its API.
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
    throw usage(`${reason}; see \`${program.name} help ${command.name}\``);
  }
}

function checkWords(program: string, command: CommandShape, words: string[]): void {
  const needed = command.words.filter((word) => word.startsWith('<'));
  const most = command.words.at(-1)?.includes('…')
    ? Number.POSITIVE_INFINITY
    : command.words.length;
  if (words.length >= needed.length && words.length <= most) return;
  throw usage(`usage: ${[program, command.name, ...command.words].join(' ')}`);
}

function checkValues(command: CommandShape, value: (option: string) => string | undefined): void {
  for (const [name, { values }] of Object.entries(command.options)) {
    const given = value(name);
    if (given !== undefined && values && !values.includes(given))
      throw usage(`--${name} is one of ${values.join(', ')}`);
  }
}

function usage(message: string): Error {
  return invalid('USAGE', message);
}

export function generalHelp({
  name,
  purpose,
  commands,
  closing,
}: CommandProgram<CommandShape>): string {
  return [
    `${name} <command>: ${purpose}.`,
    '',
    ...table(commands.map((command) => [command.name, command.summary])),
    '',
    ...closing,
  ].join('\n');
}

export function commandHelp(program: CommandProgram<CommandShape>, command: CommandShape): string {
  const options = Object.entries(optionsOf(program, command));
  return [
    `${program.name} ${[command.name, ...command.words, '[options]'].join(' ')}`,
    '',
    ...command.help,
    '',
    ...table(
      options.map(([name, { type, short, help }]) => [
        `${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ' <value>' : ''}`,
        help,
      ]),
    ),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
