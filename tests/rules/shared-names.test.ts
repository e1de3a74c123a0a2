/**
 * No test takes a name that another one may have. A random number may repeat, or make no valid
 * name: names come from a counter or `randomUUID`. A fixed port may be in use: servers listen on
 * port 0.
 */
import { expect, it } from 'vitest';
import { ofTests, placesOf } from './sources.ts';

it.each([
  ['takes a random number', /\bMath\.random\(\)/g],
  ['listens on a fixed port', /\.listen\(\s*[1-9]/g],
])('no test %s', (_, pattern) => {
  expect(placesOf(ofTests, pattern)).toEqual([]);
});
