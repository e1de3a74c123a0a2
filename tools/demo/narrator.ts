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
  const line = (text: string, mark = '') => {
    const rows = text.split('\n').flatMap((row) => wrap(row, COLUMNS - INDENT.length));
    for (const [nth, row] of rows.entries())
      print(`${INDENT}${nth === 0 || mark === '' ? mark : '  '}${row}`);
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
    line: (text) => line(text),
    quoted: (text) => print(styleText('dim', `${INDENT}| ${text}`)),
    good: (text) => line(text, `${styleText('green', '✓')} `),
    bad: (text) => line(text, `${styleText('red', '✗')} `),
    link: (url) => print(`${INDENT}${styleText('cyan', `→ ${url}`)}`),
    plain: print,
  };
}

/** Rows of whole words; a longer word has a row for itself. */
function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const last = rows.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows;
}
