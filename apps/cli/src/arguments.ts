/**
 * Parses argv into a command and its options. Secrets are never arguments: the process list shows
 * them to every account.
 */
import { parseArgs } from 'node:util';
import { invalid } from '@portcullis/errors';
import type { Command, CommandCall, Option } from './command.ts';

export interface Parsed extends Pick<CommandCall, 'words' | 'flag' | 'value'> {
  command: Command;
}

const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print one JSON object, for programs' },
  help: { type: 'boolean', help: 'show this' },
};

/** Null: help is wanted, or help about `commands` in general. @throws invalid `USAGE` */
export function parseCommand(argv: readonly string[], commands: readonly Command[]): Parsed | null {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return null;
  const requested = name === 'help' ? rest[0] : name;
  if (requested === undefined) return null;
  const command = commands.find((each) => each.name === requested);
  if (!command) throw usage(`there is no command "${requested}"; \`portcullis help\` lists them`);
  return parsed(command, name === 'help' ? ['--help'] : rest);
}

function parsed(command: Command, args: string[]): Parsed {
  const { values, positionals: words } = parse(command, args);
  const flag = (option: string) => values[option] === true;
  if (!flag('help')) checkWords(command, words);
  return {
    command,
    words,
    flag,
    value(option) {
      const given = values[option];
      return typeof given === 'string' ? given : undefined;
    },
  };
}

function parse(
  command: Command,
  args: string[],
): {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
} {
  const options = { ...command.options, ...COMMON };
  const described = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options: described, allowPositionals: true });
    return { values: { ...values }, positionals };
  } catch (cause) {
    // Node's first sentence names the option; the second is about its API.
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
    throw usage(`${reason}; see \`portcullis help ${command.name}\``);
  }
}

function checkWords(command: Command, words: string[]): void {
  const needed = command.words.filter((word) => word.startsWith('<'));
  if (words.length >= needed.length && words.length <= command.words.length) return;
  throw usage(`usage: portcullis ${[command.name, ...command.words].join(' ')}`);
}

function usage(message: string): Error {
  return invalid('USAGE', message);
}

export function generalHelp(commands: readonly Command[]): string {
  return [
    'portcullis <command>: administration from the command line.',
    '',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    '`portcullis help <command>` shows more. It reads the same environment as the processes (DATABASE_URL, REDIS_URL,',
    'REGISTRY_URL, DATA_DIR, SECRET_KEY …). What is not set is read from DATA_DIR, as `npm start` stored it.',
    'The exit status is 0 for success, 1 for a failure, 2 for wrong usage.',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON });
  return [
    `portcullis ${[command.name, ...command.words, '[options]'].join(' ')}`,
    '',
    ...command.help,
    '',
    ...table(
      options.map(([name, { type, help }]) => [
        `--${name}${type === 'string' ? ' <value>' : ''}`,
        help,
      ]),
    ),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
