import { expect, it } from 'vitest';
import { destinationFields, lastChoice } from './destination-choice.ts';

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
