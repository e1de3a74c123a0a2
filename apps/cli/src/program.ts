/** One call of the `portcullis` command, from its words to its exit code, on given streams. */
import type { Readable, Writable } from 'node:stream';
import { inspect } from 'node:util';
import {
  commandHelp,
  generalHelp,
  openTerminal,
  type ParsedCommand,
  parseCommand,
  plainJson,
  plainLine,
  plainLines,
  plainText,
  type Result,
} from '@portcullis/command';
import { isAppError } from '@portcullis/errors';
import type { Env } from '@portcullis/runtime';
import type { Command } from './command.ts';
import { PROGRAM } from './commands.ts';
import { readConfig } from './config.ts';
import { openSurroundings } from './surroundings.ts';

const WRONGLY_CALLED = 2;

export interface Console {
  env: Env;
  input: Readable & { isTTY?: boolean };
  output: Writable & { isTTY?: boolean };
  notes: Writable & { isTTY?: boolean };
  /** Receives what has to be done before an end in the middle of a command. */
  onInterrupt(end: () => Promise<void>): void;
}

/** Resolves with the exit code, also for an error, which is on `notes`. */
export async function runProgram(argv: readonly string[], console: Console): Promise<number> {
  try {
    return await answer(argv, console);
  } catch (error) {
    return explain(error, console);
  }
}

async function answer(argv: readonly string[], console: Console): Promise<number> {
  const say = (text: string, to = console.output) => void to.write(`${text}\n`);
  const parsed = parseCommand(argv, PROGRAM);
  if (parsed === null || parsed.flag('help')) {
    say(parsed === null ? generalHelp(PROGRAM) : commandHelp(PROGRAM, parsed.command));
    return 0;
  }
  const result = await run(parsed, console);
  const text = parsed.flag('json') ? plainJson(result.facts) : plainLines(result.lines);
  say(text, result.quiet ? console.notes : console.output);
  return result.exitCode ?? 0;
}

async function run(parsed: ParsedCommand<Command>, console: Console): Promise<Result> {
  const { env, input, output, notes } = console;
  const config = readConfig(env);
  const terminal = openTerminal({ input, notes });
  const surroundings = await openSurroundings(config, {
    needed: parsed.command.services,
    note: terminal.note,
  });
  console.onInterrupt(() => surroundings.close());
  try {
    return await parsed.command.run({ ...parsed, config, surroundings, terminal, input, output });
  } finally {
    terminal.close();
    await surroundings.close();
  }
}

/** Any other error is a bug: its stack is needed. */
function explain(error: unknown, { notes }: Console): number {
  const known = isAppError(error);
  const isUsage = known && error.code === 'USAGE';
  const code = known && !isUsage ? ` (${error.code})` : '';
  const isExpected = known || isSystemError(error);
  const said = isExpected ? plainLine(error.message) : plainText(inspect(error));
  notes.write(`portcullis: ${said}${code}\n`);
  return isUsage ? WRONGLY_CALLED : 1;
}

/** A missing file, a full disk: the message names it. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
