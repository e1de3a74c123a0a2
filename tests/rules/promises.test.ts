/** Each promise is tested at each door, or the table says why the door needs no separate test. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DOORS, PROMISES } from './promises.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const cells = Object.entries(PROMISES).flatMap(([promise, doors]) =>
  DOORS.map((door) => [promise, door, doors[door]] as const),
);

it.each(cells)('%s: at the door %s', (_, __, cell) => {
  if ('because' in cell) expect(cell.because).not.toBe('');
  else expect(readFileSync(path.join(ROOT, cell.file), 'utf8')).toContain(cell.title);
});

it('each promise is tested at two doors at least', () => {
  for (const doors of Object.values(PROMISES))
    expect(Object.values(doors).filter((cell) => 'file' in cell).length).toBeGreaterThan(1);
});
