import { ROOT_FOLDER } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { impliedFolder } from './implied-folder.ts';

it.each([
  ['the only one', ['team'], 'team'],
  ['none, for who may do without', [ROOT_FOLDER, 'team'], ''],
  ['none, where the server will say why', [], ''],
  ['nothing while there is a choice', ['shared', 'team'], null],
])('preselects the folder %s', (_, pushable, folder) => {
  expect(impliedFolder(pushable)).toBe(folder);
});
