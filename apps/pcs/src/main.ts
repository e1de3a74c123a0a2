#!/usr/bin/env node
/** The `pcs` command: container images through the gate, from a terminal or a pipeline. */
import { inspect } from 'node:util';
import type { ApiClient } from '@portcullis/client';
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
import { type AppError, isAppError } from '@portcullis/errors';
import type { PcsCommand } from './command.ts';
import { PROGRAM } from './commands.ts';
import { type PcsConfig, readConfig } from './config.ts';
import { EXIT } from './exit-codes.ts';
import { nodeFault } from './node-version.ts';
import { createProgress, NO_PROGRESS } from './progress.ts';
import { openSession } from './session.ts';

async function main(argv: readonly string[]): Promise<number> {
  const fault = nodeFault(process.versions.node);
  if (fault !== null) throw fault;
  const config = readConfig(process.env);
  if (argv[0] === '--version') return say(config.version);
  const parsed = parseCommand(argv, PROGRAM);
  if (parsed === null) return say(generalHelp(PROGRAM));
  if (parsed.flag('help')) return say(commandHelp(PROGRAM, parsed.command));
  const { lines, facts, exitCode = EXIT.ok } = await run(parsed, config);
  if (parsed.flag('json') && facts !== undefined) say(plainJson(facts));
  else if (lines.length > 0) say(plainLines(lines));
  return exitCode;
}

async function run(parsed: ParsedCommand<PcsCommand>, config: PcsConfig): Promise<Result> {
  const terminal = openTerminal({ input: process.stdin, notes: process.stderr });
  const silent = parsed.flag('json') || parsed.flag('quiet');
  const progress = silent ? NO_PROGRESS : createProgress(process.stderr, config);
  let opened: ApiClient | undefined;
  const api = async () => {
    opened ??= await openSession({ config, caFile: parsed.value('ca') });
    return opened;
  };
  try {
    const { words, flag, value } = parsed;
    const given = { words, flag, value, config, program: PROGRAM };
    return await parsed.command.run({ ...given, terminal, progress, api });
  } finally {
    progress.clear();
    terminal.close();
    opened?.close();
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

/** Any other error is a bug: its stack is needed. */
function explain(error: unknown): number {
  if (isAppError(error)) process.stderr.write(`pcs: ${plainLine(sentenceOf(error))}\n`);
  else if (isSystemError(error)) process.stderr.write(`pcs: ${plainLine(error.message)}\n`);
  else process.stderr.write(`pcs: ${plainText(inspect(error))}\n`);
  return isAppError(error) && error.code === 'USAGE' ? EXIT.usage : EXIT.failed;
}

function sentenceOf({ code, message, retryAfter }: AppError): string {
  if (code === 'USAGE') return message;
  const wait = retryAfter === undefined ? undefined : `try again in ${retryAfter} seconds`;
  const remedy = wait ?? REMEDIES[code];
  return `${message}${remedy === undefined ? '' : `; ${remedy}`} (${code})`;
}

/** Of faults of the server; docs/guide/faults.md has all of them. */
const REMEDIES: Readonly<Record<string, string>> = {
  TOKEN_INVALID: 'create another token, and log in with it or set PORTCULLIS_TOKEN',
  TOKEN_SCOPE: 'create a token for the REST API, and log in with it or set PORTCULLIS_TOKEN',
  PASSWORD_CHANGE_REQUIRED: 'sign in to the page, and change the password',
  TOKEN_ACTION: 'create a token with these actions',
  FOLDER_FORBIDDEN: 'the account needs the right in the folder, and the token its scope',
  PULL_EXTERNAL_FORBIDDEN: 'the account needs this right, and the token the action pull_external',
  PUSH_EXTERNAL_FORBIDDEN: 'the account needs this right, and the token the action push_external',
  JOB_NOT_READY: 'wait until it is scanned, with `pcs pull --wait`',
  IMAGE_UNKNOWN: 'check the repository and the tag',
};

/** A missing file, a full disk: the message names it. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
