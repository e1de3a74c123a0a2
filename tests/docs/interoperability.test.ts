/** docs/interoperability.md has each registry that `npm run interop` names. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CANDIDATES, NOT_TRIED } from '../interop/candidates.ts';
import { CHECK_NAMES, HABIT_NAMES } from '../interop/measure.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(ROOT, 'docs/interoperability.md'), 'utf8');
const sections = new Map(
  page.split('\n## ').map((text) => {
    const [title = '', ...lines] = text.split('\n');
    return [title, lines.filter((line) => line.startsWith('| ')).map(cellsOf)];
  }),
);
const rowsOf = (title: string) => (sections.get(title) ?? []).slice(1);
const names = CANDIDATES.map(({ name }) => name);

function cellsOf(line: string): string[] {
  return line.slice(2, -2).split(/ (?<!\\)\| /);
}

describe.each([
  ['Results', CHECK_NAMES],
  ['Habits', HABIT_NAMES],
])('the table of %s', (title, columns) => {
  it('has the columns of the checks', () => {
    expect(sections.get(title)?.[0]).toEqual(['registry', ...columns]);
  });

  it('has a row for each registry, without an empty cell', () => {
    const tried = rowsOf(title);
    expect(tried.map(([name]) => name)).toEqual(names.filter((name) => !reasonOf(name)));
    for (const row of tried) expect(row.filter(Boolean)).toHaveLength(columns.length + 1);
  });
});

const reasonOf = (name: string) => rowsOf('Not tried').find(([first]) => first === name)?.[1];

it.each(NOT_TRIED)('$name is named as not tried, with the reason', ({ name, reason }) => {
  expect(reasonOf(name)).toBe(reason);
});

it('the registries have their versions, and the page its date', () => {
  for (const [name, version] of rowsOf('Registries'))
    expect(`${name} ${version}`).toMatch(/ \d+\./);
  expect(page).toMatch(/Last run: \d{4}-\d\d-\d\d\./);
});
