/** The type of a command: its shape, and what runs it. */
import type { ApiClient } from '@portcullis/client';
import type {
  CommandProgram,
  CommandShape,
  ParsedCommand,
  Result,
  Terminal,
} from '@portcullis/command';
import type { PcsConfig } from './config.ts';
import type { ProgressLine } from './progress.ts';

export interface PcsCall extends Omit<ParsedCommand<PcsCommand>, 'command'> {
  config: PcsConfig;
  program: CommandProgram<PcsCommand>;
  terminal: Terminal;
  progress: ProgressLine;
  /** @throws unauthenticated where there is no login */
  api(): Promise<ApiClient>;
}

export interface PcsCommand extends CommandShape {
  run(call: PcsCall): Promise<Result>;
}
