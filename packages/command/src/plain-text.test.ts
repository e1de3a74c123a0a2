import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainJson, plainLine, plainLines, plainText } from './plain-text.ts';

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

it.each([
  [
    'a title and a colour',
    '1.2\u001b]0;owned\u0007\u001b[31m',
    '1.2\uFFFD]0;owned\uFFFD\uFFFD[31m',
  ],
  ['a carriage return before a command of a pipeline', '1\r::error::x', '1\uFFFD::error::x'],
  ['a line feed before one', '1\n::set-output::x', '1\uFFFD::set-output::x'],
  ['a control of eight bits', '1\u009b31m', '1\uFFFD31m'],
  ['a change of direction', 'safe\u202Egpj.exe', 'safe\uFFFDgpj.exe'],
  ['a separator of lines', 'a\u2028b', 'a\uFFFDb'],
  ['a tag beyond the first plane', 'a\u{E0041}b', 'a\uFFFDb'],
  ['a backspace', 'blocked\b\b\b', 'blocked\uFFFD\uFFFD\uFFFD'],
  ['text, tabs and other scripts', 'é\t漢字 ✓', 'é\t漢字 ✓'],
])('a line shows %s and does nothing', (_, text, shown) => {
  expect(plainLine(text)).toBe(shown);
});

it('lines are separated by the command alone', () => {
  expect(plainLines(['a\nb', 'c'])).toBe('a\uFFFDb\nc');
  expect(plainText('Error\n    at \u001b[2Jx')).toBe('Error\n    at \uFFFD[2Jx');
});

it('JSON has the same value, and no character that a terminal acts on', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = plainJson(value);
      expect(text.replaceAll('\n', '')).not.toMatch(HARMFUL);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
