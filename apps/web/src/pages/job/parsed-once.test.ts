import { expect, it } from 'vitest';
import { parsedOnce } from './parsed-once.ts';

const first = '{"findings":[1]}';

it('the same body is not parsed again, so that nothing is sorted or rendered again', () => {
  const known = parsedOnce<{ findings: number[] }>(first, undefined);
  expect(known).toEqual({ findings: [1] });
  expect(parsedOnce(first, known)).toBe(known);
});

it('another body is parsed', () => {
  const known = parsedOnce<{ findings: number[] }>(first, undefined);
  expect(parsedOnce('{"findings":[]}', known)).toEqual({ findings: [] });
});

it('what an event changed is parsed again', () => {
  const known = parsedOnce<{ findings: number[] }>(first, undefined);
  const changed = { ...known, findings: [2] };
  expect(parsedOnce(first, changed)).toEqual({ findings: [1] });
});
