/** What the commands `portcullis` and `pcs` have in common. */
export { commandHelp, generalHelp, type ParsedCommand, parseCommand } from './arguments.ts';
export type { CommandProgram, CommandShape, Option, Result } from './command.ts';
export { completionFor, SHELLS } from './completion.ts';
export { countText } from './count-text.ts';
export { decisionLines, findingText } from './decision-lines.ts';
export { plainJson, plainLine, plainLines, plainText } from './plain-text.ts';
export { openTerminal, type Terminal } from './terminal.ts';
