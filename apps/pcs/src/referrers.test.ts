import { expect, it } from 'vitest';
import { referrersOf } from './referrers.ts';

const given = (text: string | undefined) => referrersOf({ value: () => text });

it.each([
  [undefined, true],
  ['true', true],
  ['required', 'required'],
  ['false', false],
] as const)('--include-referrers %s is %s', (text, choice) => expect(given(text)).toBe(choice));

it.each(['', 'yes', 'none', 'constructor'])('--include-referrers "%s" is wrong usage', (text) =>
  expect(() => given(text)).toThrow('true, required or false'),
);
