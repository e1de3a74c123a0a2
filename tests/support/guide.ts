/**
 * Runs a page of `docs/` as a program: its `sh` blocks, compared with the output that the page
 * shows.
 */

export interface Block {
  /** Line of its first command in the page. */
  line: number;
  commands: string;
  /** Content of the `json` or `text` block directly below; null where there is none. */
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

/** The examples of a language in a page. @throws where it has none */
export function exampleOf(page: string, language: string): string {
  const found = fencesOf(page.split('\n')).find((fence) => fence.language === language);
  if (!found) throw new Error(`the page has no block of ${language}`);
  return found.text;
}

interface Fence {
  language: string;
  /** First line of the content, from 1. */
  line: number;
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

/** One shell for all blocks, as for a reader: variables are kept from block to block. */
export function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ commands, line }) => `printf '${MARK}${line}\\n'\n${commands}`);
  return ['set -euo pipefail', ...parts, ''].join('\n');
}

/** Output of each block by its line; blocks that were not reached are absent. */
export function printedBy(output: string): Map<number, string> {
  const parts = output.split(MARK).slice(1);
  return new Map(
    parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1).trim()]),
  );
}
