/** A page of `docs/` as a program: its `sh` blocks, and what the page says that each prints. */

export interface Block {
  /** Of its first command, in the page. */
  line: number;
  commands: string;
  /** Of the `json` or `text` block right below; null where the page shows none. */
  prints: string | null;
}

const SHOWN = new Set(['json', 'text']);

export function blocksOf(page: string): Block[] {
  const fences = fencesOf(page.split('\n'));
  return fences.flatMap(({ language, line, text, end }, index) => {
    if (language !== 'sh') return [];
    const below = fences[index + 1];
    const shown = below && SHOWN.has(below.language) && below.line === end + 2;
    return [{ line, commands: text, prints: shown ? below.text : null }];
  });
}

/** What a page shows as an example of a language. @throws where it has none */
export function exampleOf(page: string, language: string): string {
  const found = fencesOf(page.split('\n')).find((fence) => fence.language === language);
  if (!found) throw new Error(`the page has no block of ${language}`);
  return found.text;
}

interface Fence {
  language: string;
  /** One-based, of what is in it. */
  line: number;
  /** Of the fence that closes it. */
  end: number;
  text: string;
}

function fencesOf(lines: readonly string[]): Fence[] {
  const marks = lines.flatMap((line, index) => (line.startsWith('```') ? [index] : []));
  if (marks.length % 2 !== 0) throw new Error('a block of the page is not closed');
  return marks.flatMap((start, nth) => {
    const end = marks[nth + 1];
    if (nth % 2 !== 0 || end === undefined) return [];
    const text = lines.slice(start + 1, end).join('\n');
    return [{ language: lines[start]?.slice(3).trim() ?? '', line: start + 2, end: end + 1, text }];
  });
}

const MARK = '\u001e';

/** One shell for all blocks, as for the reader: what one sets, the next has. */
export function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ commands, line }) => `printf '${MARK}${line}\\n'\n${commands}`);
  return ['set -euo pipefail', ...parts, ''].join('\n');
}

/** What each block printed, by its line; a block that was not reached is not in it. */
export function printedBy(output: string): Map<number, string> {
  const parts = output.split(MARK).slice(1);
  return new Map(
    parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1).trim()]),
  );
}
