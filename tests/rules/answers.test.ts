/**
 * A test looks at the status of each answer that it reads. A refusal that it takes for what it
 * asked for fails later, elsewhere, and by chance. `json`, `refusal` and `bodyOf` throw.
 */
import { expect, it } from 'vitest';
import { codeOf, ofTests, placesOf } from './sources.ts';

it.each([
  ['a request', /\)\s*\.json\(\)/g],
  ['a caller', /\(await \w+\(\s*'[A-Z]+',[^;]*?\)\)\s*\.body\b/g],
  ['a caller, taken apart', /\{ body(?:: \w+)? \} = await \w+\(\s*'[A-Z]+',/g],
])('no test reads the body alone of the answer to %s', (_, pattern) => {
  expect(placesOf(ofTests, pattern)).toEqual([]);
});

/** How many lines before and after a body that is read the status may be read. */
const [BEFORE, AFTER] = [12, 3];

it('no test reads the body of an answer in a variable without its status', () => {
  const unseen = ofTests.flatMap((source) => {
    const lines = codeOf(source).split('\n');
    return lines.flatMap((line, at) => {
      const around = lines.slice(Math.max(0, at - BEFORE), at + AFTER).join('\n');
      return [...line.matchAll(/\b([a-z]\w*)\.json\(\)/g)]
        .filter(([, name]) => !new RegExp(String.raw`\b${name}\.(?:status|ok)\b`).test(around))
        .map(() => `${source.file}:${at + 1}`);
    });
  });
  expect(unseen).toEqual([]);
});
