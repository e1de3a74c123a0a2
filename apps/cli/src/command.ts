/** The type of a command: its shape, and what runs it. */
import type { CommandShape, ParsedCommand, Result, Terminal } from '@portcullis/command';
import type { ServiceName } from '@portcullis/embedded';
import type { CliConfig } from './config.ts';
import type { Surroundings } from './surroundings.ts';

export interface CommandCall extends Omit<ParsedCommand<Command>, 'command'> {
  config: CliConfig;
  surroundings: Surroundings;
  terminal: Terminal;
}

export interface Command extends CommandShape {
  /**
   * The services that it needs; by default all of them. It may use others where their URL is
   * configured.
   */
  services?: readonly ServiceName[];
  run(call: CommandCall): Promise<Result>;
}
