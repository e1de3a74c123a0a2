import { expect, it } from 'vitest';
import { linesOf, parseLines } from './conditions.ts';

it.each([
  ['repository = acme/app', { repository: ['acme/app'] }],
  ['a=1,2\n\nb = x ', { a: ['1', '2'], b: ['x'] }],
  ['a = 1\na = 2', { a: ['1', '2'] }],
  ['sub = repo:acme/app:ref=x', { sub: ['repo:acme/app:ref=x'] }],
])('%j is read', (text, conditions) => {
  expect(parseLines(text)).toEqual({ conditions });
});

it.each([
  ['a', 1],
  ['a = 1\n= 2', 2],
  ['a = ,', 1],
])('in %j the line %i is wrong', (text, wrongLine) => {
  expect(parseLines(text)).toEqual({ wrongLine });
});

it('what is shown is read again', () => {
  const conditions = { repository: ['acme/*'], ref: ['refs/heads/main', 'refs/tags/*'] };
  expect(parseLines(linesOf(conditions))).toEqual({ conditions });
});
