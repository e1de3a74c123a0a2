/**
 * Every test file is in exactly one lane, by its name; docs/tests.md lists each file of the night
 * with a file of the change lane that shows its main behaviour.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const files = globSync('{apps,packages,tests}/**/*.test.ts', {
  cwd: ROOT,
  exclude: (name) => ['node_modules', 'dist'].includes(path.basename(name)),
});
/** The last part of a name before `.test.ts`, of the files that need servers. */
const LANES = ['int', 'night', 'containers'];
const laneOf = (file: string) => /\.([\w-]+)\.test\.ts$/.exec(path.basename(file))?.[1] ?? 'unit';

const rows = readFileSync(path.join(ROOT, 'docs/tests.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, file = '']) => /\/.*\.test\.ts`$/.test(file))
  .map(([, file = '', holds = '', instead = '']) => ({
    file: file.replaceAll('`', ''),
    holds,
    instead: [...instead.matchAll(/`([^`]+)`/g)].map(([, found = '']) => found),
  }));
const night = files.filter((file) => laneOf(file) === 'night');

it('no test file has a name that no lane runs', () => {
  const others = files.filter((file) => !['unit', ...LANES].includes(laneOf(file)));
  expect(others).toEqual([]);
});

describe('the page of the tests', () => {
  it('lists each file of the night once, in order', () => {
    expect(rows.map(({ file }) => file)).toEqual(night.toSorted());
  });

  it.each(rows)('says what $file holds, and names its substitute in the change lane', (row) => {
    expect(row.holds).not.toBe('');
    expect(row.instead).not.toEqual([]);
    const known = row.instead.filter((file) => files.includes(file));
    expect(known).toEqual(row.instead);
    expect(row.instead.filter((file) => !['unit', 'int'].includes(laneOf(file)))).toEqual([]);
  });
});
