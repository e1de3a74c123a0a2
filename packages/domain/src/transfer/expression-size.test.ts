import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { expressionSize } from './expression-size.ts';

function compiledSize(source: string): number | null {
  try {
    return RE2JS.compile(source).programSize();
  } catch {
    return null;
  }
}

it.each([
  ['a version', '^v?\\d+\\.\\d+\\.\\d+$', 30],
  ['a digest', '^sha-[0-9a-f]{64}$', 150],
  ['a class with bounds', '^[A-Za-z0-9_.-]{1,128}$', 300],
  ['alternatives', '^(?:alpine|bookworm|trixie)-\\d+(?:\\.\\d+){0,2}$', 80],
  ['quoted repeats', '\\Q{1000}{1000}\\E', 30],
])('the size of what people write is near that of its program: %s', (_, source, most) => {
  const size = expressionSize(source);
  expect(size).toBeGreaterThanOrEqual(compiledSize(source) ?? 0);
  expect(size).toBeLessThanOrEqual(most);
});

it.each([
  ['a counted repeat of many', `(?i)(?:${'\\w?'.repeat(75)}){1000}!`],
  ['repeats of repeats', '(((a?){10}){10}){10}!'],
  ['many counted repeats', 'x{1000}'.repeat(30)],
  ['optional rounds', '(?:[ab]{0,100}x){0,10}!'],
  ['a repeat without an end', '(?:.*a){1000,}'],
  ['wide ranges whose case is folded', `(?i)${'[a-\\x{1F000}]'.repeat(18)}`],
  ['wide ranges by their characters', `(?i)${'[a-\u{1f000}]'.repeat(18)}`],
  ['classes of Unicode', '(?i)[\\pL\\PL]'.repeat(25)],
  ['a repeat with flags inside', '(?:(?i:a)b?){900}'],
])('what is short and costs much has a large size: %s', (_, source) => {
  expect(expressionSize(source)).toBeGreaterThan(1_000);
});

it('no expression compiles to more than its size', () => {
  const piece = fc.constantFrom(
    ...['a', '.', '\\w', '[^a-c]', '[]a]', '[[:alpha:]-]', '\\pL', '\\x41', '\\x{e9}', '\\101'],
    ...['(', '(?:', '(?i)', '(?P<n>', ')', '|', '^', '$', '\\b', '\\Qab', '\\E', 'é', '{', '}'],
    ...['*', '+', '?', '*?', '{3}', '{2,}', '{0,4}', '{3}?', '{,2}', '{1,2,3}', '[', ']', '\\'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const source = pieces.join('');
      const compiled = compiledSize(source);
      if (compiled !== null) expect(expressionSize(source)).toBeGreaterThanOrEqual(compiled);
    }),
    { numRuns: 3_000 },
  );
});
