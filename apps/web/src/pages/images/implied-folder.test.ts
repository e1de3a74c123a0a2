import { ROOT_FOLDER } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { impliedFolder, offeredFolder } from './implied-folder.ts';

it.each([
  ['the only folder', ['team'], 'team'],
  ['no folder, where none is needed', [ROOT_FOLDER, 'team'], ''],
  ['no folder, where the server refuses', [], ''],
  ['nothing while there is a choice', ['shared', 'team'], null],
])('preselects %s', (_, pushable, folder) => {
  expect(impliedFolder(pushable)).toBe(folder);
});

it.each([
  ['the chosen folder', 'team', ['shop', 'team'], 'team'],
  ['no folder, where that was chosen', '', [ROOT_FOLDER, 'team'], ''],
  ['the only other one in place of a mirror', 'hub', ['team'], 'team'],
  ['nothing in place of a mirror while there is a choice', 'hub', ['shop', 'team'], null],
  ['the implied one where none was chosen', null, ['team'], 'team'],
])('offers %s', (_, chosen, pushable, folder) => {
  expect(offeredFolder(chosen, pushable)).toBe(folder);
});
