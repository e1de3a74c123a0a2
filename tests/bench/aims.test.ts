/** The marks of figures below their aim, in the benchmarks and in docs/benchmarks.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AIMS, type Aim, aimTable, boundOf, marked } from '../../tools/bench/aims.ts';

const ratio: Aim = { work: 'a pull', against: 'crane', sense: 'least', bound: 1, unit: ' ×' };
const limit: Aim = { work: 'a push', against: '–', sense: 'most', bound: 0.3, unit: ' s' };

describe('a figure', () => {
  it('below its least ratio is marked', () => {
    expect(marked(ratio, 0.86)).toBe('0.86 × ⚠');
    expect(marked(ratio, 1.31)).toBe('1.31 ×');
  });

  it('above its limit is marked', () => {
    expect(marked(limit, 0.31)).toBe('0.31 s ⚠');
    expect(marked(limit, 0.0834)).toBe('0.08 s');
  });

  it('is compared as it is printed', () => {
    expect(marked(ratio, 0.996)).toBe('1.00 ×');
    expect(marked(ratio, 0.994)).toBe('0.99 × ⚠');
  });

  it('that is not a number is marked', () => {
    expect(marked(ratio, Number.NaN)).toBe('NaN × ⚠');
  });

  it('has the decimals of its aim', () => {
    expect(marked({ ...limit, unit: ' requests', digits: 0 }, 9)).toBe('9 requests ⚠');
    expect(marked({ ...ratio, digits: 1 }, 1.31)).toBe('1.3 ×');
  });
});

it('the table has every aim, and the command for those that the run did not measure', () => {
  const lines = aimTable(new Map([['pull420', 0.65]])).split('\n');
  expect(lines).toHaveLength(Object.keys(AIMS).length + 3);
  expect(lines[2]).toBe(
    '| cold pull, 420 MB in 12 layers | crane, regctl, skopeo | ≥ 1 × | 0.65 × ⚠ |',
  );
  expect(lines).toContain(
    '| 200 clients that push into one repository | – | ≥ 50 images/s | npm run bench push-clients |',
  );
  expect(lines[3]).toContain('not in this run');
});

describe('docs/benchmarks.md', () => {
  const file = path.join(import.meta.dirname, '../../docs/benchmarks.md');
  const [, section = ''] = readFileSync(file, 'utf8').split(/^## Aims$/m);
  const rows = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));

  it('lists every aim in the order of the benchmark', () => {
    expect(rows?.map((cells) => cells.slice(0, 3))).toEqual(
      Object.values<Aim>(AIMS).map((aim) => [aim.work, aim.against, boundOf(aim)]),
    );
  });

  it('has a figure for every aim, and marks those that miss it', () => {
    for (const [nth, aim] of Object.values<Aim>(AIMS).entries()) {
      const cell = rows?.[nth]?.[3] ?? '';
      expect(cell).toBe(marked(aim, Number.parseFloat(cell)));
    }
  });
});
