import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each<[string, Parameters<typeof csvLine>[0], string]>([
  ['text, numbers and nothing', ['CVE-2026-1', 0.5, -3, true, null], '"CVE-2026-1",0.5,-3,true,'],
  ['quotes and separators', ['a "b", c'], '"a ""b"", c"'],
  ['several names', [['openssl', 'zlib']], '"openssl; zlib"'],
  ['line breaks', ['one\r\ntwo\nthree'], '"one two three"'],
  ['a formula', ["=cmd|' /C calc'!A0"], "\"'=cmd|' /C calc'!A0\""],
  ['a formula behind blanks', ['  +1+1'], '"\'  +1+1"'],
  ['a formula with a wide sign', ['＝1+1'], '"\'＝1+1"'],
  ['a function', ['@SUM(A1)'], '"\'@SUM(A1)"'],
  ['a minus', ['-2+3'], '"\'-2+3"'],
  ['a tab', ['\t=1'], '"\'\t=1"'],
  ['a formula in the first of several names', [['=1', 'b']], '"\'=1; b"'],
  ['a sign in the middle', ['a=b'], '"a=b"'],
])('%s', (_, values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
