/** The `portcullis` command: administration of an installation from the command line. */
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
import type { Command } from './command.ts';
import { PROGRAM } from './commands.ts';
import { readConfig } from './config.ts';
import { openSurroundings } from './surroundings.ts';

const WRONGLY_CALLED = 2;
const INTERRUPTED = 130;

async function main(argv: readonly string[]): Promise<number> {
  process.umask(0o077); // backups, keys and DATA_DIR are for our account only
  const parsed = parseCommand(argv, PROGRAM);
  if (parsed === null) return say(generalHelp(PROGRAM));
  if (parsed.flag('help')) return say(commandHelp(PROGRAM, parsed.command));
  const result = await run(parsed);
  const text = parsed.flag('json') ? plainJson(result.facts) : plainLines(result.lines);
  if (result.quiet) process.stderr.write(`${text}\n`);
  else say(text);
  return result.exitCode ?? 0;
}

async function run(parsed: ParsedCommand<Command>): Promise<Result> {
  const config = readConfig(process.env);
  const terminal = openTerminal({ input: process.stdin, notes: process.stderr });
  const surroundings = await openSurroundings(config, {
    needed: parsed.command.services,
    note: terminal.note,
  });
  const interrupt = () => void surroundings.close().then(() => process.exit(INTERRUPTED));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt);
  try {
    return await parsed.command.run({ ...parsed, config, surroundings, terminal });
  } finally {
    terminal.close();
    await surroundings.close();
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Any other error is a bug: its stack is needed. */
function explain(error: unknown): number {
  const known = isAppError(error);
  const isUsage = known && error.code === 'USAGE';
  const code = known && !isUsage ? ` (${error.code})` : '';
  const isExpected = known || isSystemError(error);
  const said = isExpected ? plainLine(error.message) : plainText(inspect(error));
  process.stderr.write(`portcullis: ${said}${code}\n`);
  return isUsage ? WRONGLY_CALLED : 1;
}

/** A missing file, a full disk: the message names it. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
