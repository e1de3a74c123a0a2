/** Limits of the source layout: files per folder, first lines, and columns per comment line. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { shipped, written } from './sources.ts';

const MOST_FILES = 20;
const MOST_COLUMNS = 100;
const MOST_LINES_WITHOUT_PURPOSE = 40;

it(`no folder holds more than ${MOST_FILES} source files`, () => {
  const folders = Map.groupBy(shipped, ({ file }) => path.dirname(file));
  const full = [...folders].filter(([, files]) => files.length > MOST_FILES);
  expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

it(`a file of more than ${MOST_LINES_WITHOUT_PURPOSE} lines says what it is for before its code`, () => {
  const silent = shipped.filter(
    ({ file, text }) =>
      path.basename(file) !== 'index.ts' &&
      text.trimEnd().split('\n').length > MOST_LINES_WITHOUT_PURPOSE &&
      !/^\/(?:\*\*|\/)/.test(withoutImports(text)),
  );
  expect(silent.map(({ file }) => file)).toEqual([]);
});

it(`no comment goes beyond column ${MOST_COLUMNS}; biome wraps the code`, () => {
  const wide = written.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => {
      const comment = /^\s*(?:\/\/|\/?\*)/.test(line) && !/https?:\/\/\S+$/.test(line.trimEnd());
      return comment && line.length > MOST_COLUMNS ? [`${file}:${index + 1}`] : [];
    }),
  );
  expect(wide).toEqual([]);
});

function withoutImports(text: string): string {
  return text.replace(/^(?:#!.*\s)?(?:import\s[^;]*;\s*)*/, '');
}
