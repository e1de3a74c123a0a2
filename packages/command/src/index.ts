/** What the commands `portcullis` and `pcs` have in common. */
export { commandHelp, generalHelp, type ParsedCommand, parseCommand } from './arguments.ts';
export type { CommandProgram, CommandShape, Result } from './command.ts';
export { decisionLines } from './decision-lines.ts';
export { openTerminal, type Terminal } from './terminal.ts';
