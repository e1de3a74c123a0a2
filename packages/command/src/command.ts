/**
 * A command line program as data, which the parser, the help and the completion of the shells read.
 */
export interface Option {
  /** `--name` alone, or `--name <value>`. */
  type: 'boolean' | 'string';
  help: string;
  /** `-f` for `--file`. */
  short?: string;
  /** The only values it accepts. */
  values?: readonly string[];
}

export interface CommandShape {
  name: string;
  /** The words it takes, each `<required>` or `[optional]`; the last may be `[any…]`. */
  words: readonly string[];
  summary: string;
  /** Paragraphs, one per line. */
  help: readonly string[];
  options: Readonly<Record<string, Option>>;
}

export interface CommandProgram<C extends CommandShape> {
  name: string;
  purpose: string;
  commands: readonly C[];
  /** Options of every command. */
  options?: Readonly<Record<string, Option>>;
  /** The end of the general help, by lines. */
  closing: readonly string[];
}

export interface Result {
  /** For people. */
  lines: readonly string[];
  /** The same for programs (`--json`). */
  facts: unknown;
  /** Standard output has the result: messages go to standard error. */
  quiet?: boolean;
  /** By default 0, although the command itself may have found a fault. */
  exitCode?: number;
}
