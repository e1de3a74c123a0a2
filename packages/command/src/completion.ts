/** Completion of commands and options for bash, zsh and fish, from the program as data. */
import { optionsOf } from './arguments.ts';
import type { CommandProgram, CommandShape, Option } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that the shell reads, as by `source <(pcs completion bash)`. */
export function completionFor(shell: Shell, program: CommandProgram<CommandShape>): string {
  return WRITERS[shell](program);
}

const WRITERS: Record<Shell, (program: CommandProgram<CommandShape>) => string> = {
  bash,
  zsh,
  fish,
};

function bash(program: CommandProgram<CommandShape>): string {
  const { name, commands } = program;
  const cases = commands.map(
    (command) => `    ${command.name}) words="${flagsOf(program, command).join(' ')}" ;;`,
  );
  const values = valuesOf(program).map(
    ([flag, words]) => `    ${flag}) words="${words.join(' ')}" ;;`,
  );
  return `_${name}() {
  local words current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((each) => each.name).join(' ')} help" -- "$current"))
    return
  fi
  case "$previous" in
${values.join('\n')}
    *) words= ;;
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function zsh(program: CommandProgram<CommandShape>): string {
  const { name, commands } = program;
  const described = commands.map((each) => `    ${quote(`${each.name}:${each.summary}`)}`);
  const cases = commands.map((command) => {
    const specs = Object.entries(optionsOf(program, command)).map(([flag, option]) =>
      quote(`--${flag}[${option.help.replaceAll(/[[\]:]/g, ' ')}]${zshValue(option)}`),
    );
    return `    ${command.name}) _arguments ${[...specs, "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _${name} ${name}
`;
}

function zshValue({ type, values }: Option): string {
  if (type === 'boolean') return '';
  return values === undefined ? ':value:_files' : `:value:(${values.join(' ')})`;
}

function fish(program: CommandProgram<CommandShape>): string {
  const { name, commands } = program;
  const lines = commands.flatMap((command) => [
    `complete -c ${name} -f -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
    ...Object.entries(optionsOf(program, command)).map(([flag, option]) => {
      const where = quote(`__fish_seen_subcommand_from ${command.name}`);
      const short = option.short === undefined ? '' : ` -s ${option.short}`;
      return `complete -c ${name} -n ${where} -l ${flag}${short}${fishValue(option)} -d ${quote(option.help)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}

function fishValue({ type, values }: Option): string {
  if (type === 'boolean') return '';
  return values === undefined ? ' -r' : ` -x -a ${quote(values.join(' '))}`;
}

function flagsOf(program: CommandProgram<CommandShape>, command: CommandShape): string[] {
  return Object.keys(optionsOf(program, command)).map((flag) => `--${flag}`);
}

/** Options whose values are known, once each. */
function valuesOf(program: CommandProgram<CommandShape>): [string, readonly string[]][] {
  const all = program.commands.flatMap((command) => Object.entries(optionsOf(program, command)));
  const known = all.flatMap(([flag, { values }]): [string, readonly string[]][] =>
    values === undefined ? [] : [[`--${flag}`, values]],
  );
  return [...new Map(known)];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
