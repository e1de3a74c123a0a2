/** The type of a command: its shape, and what runs it. */
import type { Readable, Writable } from 'node:stream';
import type { CommandShape, ParsedCommand, Result, Terminal } from '@portcullis/command';
import type { ServiceName } from '@portcullis/embedded';

import type { CliConfig } from './config.ts';
import type { Surroundings } from './surroundings.ts';

export interface CommandCall extends Omit<ParsedCommand<Command>, 'command'> {
  config: CliConfig;
  surroundings: Surroundings;
  terminal: Terminal;
  /** Standard input and output, for commands that take `-` as the name of a file. */
  input: Readable;
  output: Writable & { isTTY?: boolean };
}

export interface Command extends CommandShape {
  /**
   * The services that it needs; by default all of them. It may use others where their URL is
   * configured.
   */
  services?: readonly ServiceName[];
  run(call: CommandCall): Promise<Result>;
}
