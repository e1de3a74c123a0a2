/** Classes of the page's style sheets: each that a component names exists, and each is named. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, shipped } from './sources.ts';

interface SheetUse {
  file: string;
  sheet: string;
  /** Null where it passes the whole sheet on. */
  names: string[] | null;
}

const IMPORT = /^import (\w+) from '([^']+\.module\.css)';$/gm;

const uses: SheetUse[] = shipped.flatMap(({ file, text }) =>
  [...text.matchAll(IMPORT)].map(([statement, name = '', from = '']) => {
    const rest = text.replace(statement, '');
    const named = [...rest.matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\['([^']+)'\\])`, 'g'))];
    const isPassed = new RegExp(`\\b${name}\\b(?!\\.\\w|\\[')`).test(rest);
    return {
      file,
      sheet: path.normalize(path.join(path.dirname(file), from)),
      names: isPassed ? null : named.map(([, plain, quoted]) => plain ?? quoted ?? ''),
    };
  }),
);

const sheets = Map.groupBy(uses, ({ sheet }) => sheet);

/** Without those of Mantine, which are not of the sheet. */
function classesOf(sheet: string): Set<string> {
  const css = readFileSync(path.join(ROOT, sheet), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\.mantine-[\w-]+/g, '');
  return new Set([...css.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? ''));
}

it('there are style sheets', () => expect(sheets.size).toBeGreaterThan(20));

it('every class that a component names is in its style sheet', () => {
  const missing = uses.flatMap(({ file, sheet, names }) =>
    (names ?? []).filter((name) => !classesOf(sheet).has(name)).map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it('every class of a style sheet is named by a component', () => {
  const unused = [...sheets].flatMap(([sheet, all]) => {
    if (all.some(({ names }) => names === null)) return [];
    const used = new Set(all.flatMap(({ names }) => names ?? []));
    return [...classesOf(sheet)]
      .filter((name) => !used.has(name))
      .map((name) => `${sheet}: ${name}`);
  });
  expect(unused).toEqual([]);
});
