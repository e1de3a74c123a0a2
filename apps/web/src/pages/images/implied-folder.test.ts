import { ROOT_FOLDER } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { impliedFolder } from './implied-folder.ts';

it.each([
  ['the only folder', ['team'], 'team'],
  ['no folder, where none is needed', [ROOT_FOLDER, 'team'], ''],
  ['no folder, where the server refuses', [], ''],
  ['nothing while there is a choice', ['shared', 'team'], null],
])('preselects %s', (_, pushable, folder) => {
  expect(impliedFolder(pushable)).toBe(folder);
});
