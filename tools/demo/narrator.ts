/** What the demonstration prints: numbered steps with their time, and what happened in each. */
import { styleText } from 'node:util';

export interface Narrator {
  /** Runs one numbered step of the story. */
  step<T>(title: string, act: () => Promise<T>): Promise<T>;
  /** A line of the present step. */
  line(text: string): void;
  /** The same, for what the product or a program prints. */
  quoted(text: string): void;
  good(text: string): void;
  bad(text: string): void;
  link(url: string): void;
  plain(text: string): void;
}

const INDENT = '    ';
/** Where the times end. */
const COLUMNS = 78;

export function createNarrator(print: (line: string) => void, now = Date.now): Narrator {
  let steps = 0;
  const line = (text: string) => {
    for (const part of text.split('\n')) print(`${INDENT}${part}`);
  };
  return {
    async step(title, act) {
      steps += 1;
      print('');
      print(styleText('bold', `${String(steps).padStart(2)}  ${title}`));
      const from = now();
      const result = await act();
      const seconds = `${((now() - from) / 1000).toFixed(1)} s`;
      print(styleText('dim', seconds.padStart(COLUMNS)));
      return result;
    },
    line,
    quoted: (text) => line(styleText('dim', `| ${text}`)),
    good: (text) => line(`${styleText('green', '✓')} ${text}`),
    bad: (text) => line(`${styleText('red', '✗')} ${text}`),
    link: (url) => line(styleText('cyan', `→ ${url}`)),
    plain: print,
  };
}
