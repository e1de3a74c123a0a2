import { expect, it } from 'vitest';
import { parseOnce } from './parse-once.ts';

it('an entry that several groups read is parsed once', () => {
  const text = (id: number) => JSON.stringify({ id });
  const first = parseOnce<{ id: number }>(text(1));
  expect(first).toEqual({ id: 1 });
  expect(parseOnce(text(1))).toBe(first);
  expect(parseOnce(text(2))).toEqual({ id: 2 });
});

it('entries are forgotten after some thousand others, and parsed again', () => {
  const text = JSON.stringify({ id: 'first' });
  const first = parseOnce(text);
  for (let id = 0; id < 4_000; id += 1) parseOnce(JSON.stringify({ id: `other ${id}` }));
  const again = parseOnce(text);
  expect(again).toEqual(first);
  expect(again).not.toBe(first);
});
