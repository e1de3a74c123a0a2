/**
 * The type of a command. Its options are data, so that the parser, the help and the tests read the
 * same table.
 */
import type { ServiceName } from '@portcullis/embedded';
import type { CliConfig } from './config.ts';
import type { Surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  /** `--name` alone, or `--name <value>`. */
  type: 'boolean' | 'string';
  help: string;
}

export interface CommandCall {
  /** The words after the command's name. */
  words: readonly string[];
  flag(name: string): boolean;
  value(name: string): string | undefined;
  config: CliConfig;
  surroundings: Surroundings;
  terminal: Terminal;
}

export interface Result {
  /** For people. */
  lines: readonly string[];
  /** The same for programs (`--json`). */
  facts: Record<string, unknown>;
  /** Standard output has the result: messages go to standard error. */
  quiet?: boolean;
  /** Sets the exit code 1 although the command itself succeeded. */
  failed?: boolean;
}

export interface Command {
  name: string;
  /** The words it takes, each `<required>` or `[optional]`. */
  words: readonly string[];
  summary: string;
  /** Paragraphs, one per line. */
  help: readonly string[];
  options: Readonly<Record<string, Option>>;
  /**
   * The services that it needs; by default all of them. It may use others where their URL is
   * configured.
   */
  services?: readonly ServiceName[];
  run(call: CommandCall): Promise<Result>;
}
