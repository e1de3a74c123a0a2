/** `pcs completion`: prints the completion script of a shell. */
import { completionFor, SHELLS } from '@portcullis/command';
import { invalid } from '@portcullis/errors';
import type { PcsCommand } from '../command.ts';

export const completion: PcsCommand = {
  name: 'completion',
  words: [`<${SHELLS.join('|')}>`],
  summary: 'print the completion of a shell',
  help: [
    'For bash: `source <(pcs completion bash)`; for zsh the same; for fish: `pcs completion fish | source`. To keep it,',
    'put the line into the file that the shell reads at its start.',
  ],
  options: {},
  async run({ words, program }) {
    const shell = SHELLS.find((each) => each === words[0]);
    if (shell === undefined) throw invalid('USAGE', `the shell is one of ${SHELLS.join(', ')}`);
    const script = completionFor(shell, program);
    return { lines: script.trimEnd().split('\n'), facts: { shell, script } };
  },
};
