import { expect, it } from 'vitest';
import { folderPath } from './folder-location.ts';

it('the name of a folder is escaped', () => {
  expect(folderPath('__root__')).toBe('/folders/__root__');
  expect(folderPath('a/b')).toBe('/folders/a%2Fb');
});
