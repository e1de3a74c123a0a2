import { expect, it } from 'vitest';
import { pullOf } from './tag-pull.ts';

type Pulled = Parameters<typeof pullOf>[0];

const PLACE = { registry_id: '__local__', host: 'gate.example' };
const JOB: Pulled = {
  ...{ image: 'acme/app', tag: '1.0', platforms: ['linux/amd64'] },
  source: { kind: 'host', host: 'origin.example' },
  destination: null,
};
const local = (folder: string, repository: string): Pulled['destination'] => ({
  ...{ kind: 'local', folder, repository, tag: '1.0' },
  ...PLACE,
});
const OTHER: Pulled['destination'] = {
  ...{ kind: 'registry', registry_id: 'r1', host: 'other.example', folder: null },
  ...{ repository: 'acme/app', tag: '1.0' },
};

it.each<[string, Pulled['destination'], object | undefined]>([
  ['nowhere', null, undefined],
  [
    'a folder, under the name that it has there',
    local('shop', 'shop/front'),
    { folder: 'shop', target_image: 'front', target_tag: '1.1' },
  ],
  [
    'another registry',
    OTHER,
    { external_registry_id: 'r1', target_image: 'app', target_tag: '1.1' },
  ],
])('a newer tag is for the same place: %s', (_, destination, expected) => {
  const body = pullOf({ ...JOB, destination }, '1.1');
  expect(body).toMatchObject({ tag: '1.1', source_registry_host: 'origin.example' });
  expect(body.destination).toEqual(expected);
});
