import { ROOT_FOLDER } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { type SetupFacts, setupSteps } from './setup-steps.ts';

const FRESH: SetupFacts = {
  users: 1,
  groups: 0,
  folders: [ROOT_FOLDER],
  registries: 0,
  jobs: 0,
  scanner: { enabled: true, available: false },
};

it.each<[string, Partial<SetupFacts>, string[]]>([
  ['nothing', {}, []],
  ['a scanner', { scanner: { enabled: true, available: true } }, ['scanner']],
  ['an image', { jobs: 1 }, ['image']],
  ['a group', { groups: 1 }, ['group']],
  ['a folder', { folders: [ROOT_FOLDER, 'team'] }, ['folder']],
  ['a second account', { users: 2 }, ['account']],
  ['a registry', { registries: 1 }, ['registry']],
])('with %s, these steps are done', (_, change, done) => {
  const steps = setupSteps({ ...FRESH, ...change });
  expect(steps.filter(({ isDone }) => isDone).map(({ name }) => name)).toEqual(done);
});

it('a scanner that is off is no step', () => {
  const steps = setupSteps({ ...FRESH, scanner: { enabled: false, available: false } });
  expect(steps.map(({ name }) => name)).toEqual([
    'image',
    'group',
    'folder',
    'account',
    'registry',
  ]);
});
