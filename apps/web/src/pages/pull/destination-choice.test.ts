import { expect, it } from 'vitest';
import { destinationChoices, destinationFields, lastChoice } from './destination-choice.ts';

const PLACE = { host: 'r.example', repository: 'team/app', tag: '1' };

it.each([
  ['none', null, {}],
  [
    'a folder',
    { kind: 'local', registry_id: '__local__', folder: 'team', ...PLACE },
    { destination: { folder: 'team' } },
  ],
  ['no folder', { kind: 'local', registry_id: '__local__', folder: '__root__', ...PLACE }, {}],
  [
    'a saved registry',
    { kind: 'registry', registry_id: 'r1', folder: null, ...PLACE },
    { destination: { external_registry_id: 'r1' } },
  ],
] as const)('%s that was the last is asked for again', (_, last, fields) => {
  expect(destinationFields(lastChoice(last))).toEqual(fields);
});

const WORDS = { none: 'None yet', folders: 'Folders', registries: 'Saved registries' };
const VENDOR = { id: 'r1', name: 'Vendor', host: 'r.example' };

it('folders and all saved registries are offered, each under its kind', () => {
  const offered = { folders: ['__root__', 'team'], registries: [VENDOR] };
  expect(destinationChoices(offered, WORDS)).toEqual([
    { value: '', label: 'None yet' },
    { group: 'Folders', items: [{ value: 'folder:team', label: 'team' }] },
    { group: 'Saved registries', items: [{ value: 'registry:r1', label: 'Vendor (r.example)' }] },
  ]);
});

it('a kind without any is left out', () => {
  const none = { value: '', label: 'None yet' };
  expect(destinationChoices({ folders: ['__root__'], registries: [] }, WORDS)).toEqual([none]);
});
