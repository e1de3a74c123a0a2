import { expect, it } from 'vitest';
import { bypassFacts } from './bypass-facts.ts';

const BYPASS = { decision: { because: 'bypass' }, decisions: [{ because: 'bypass' }] };

const of = (event: string, name: string, detail: object) =>
  bypassFacts({
    event,
    outcome: 'success',
    resource: { kind: 'image', id: null, name },
    detail: { ...BYPASS, ...detail },
  });

it.each([
  [
    'a push into the built-in registry',
    of('staging.pushed', 'library/nginx:1.27', {
      ...{ destination: '127.0.0.1:5000/shop/nginx:1', local_repository: 'shop/nginx' },
      reason: 'hotfix',
    }),
    { image: 'library/nginx:1.27', destination: 'shop/nginx:1', reason: 'hotfix' },
  ],
  [
    'a push to another registry without a reason',
    of('staging.pushed', 'nginx:1', { destination: 'ghcr.io/team/nginx:1', reason: null }),
    { image: 'nginx:1', destination: 'ghcr.io/team/nginx:1', reason: null },
  ],
  [
    'a pull by a client',
    of('image.pulled_blocked', 'shop/nginx', { reference: 'sha256:ab' }),
    { image: 'shop/nginx@sha256:ab', destination: null, reason: null },
  ],
  [
    'a copy that keeps its tag',
    of('image.copy', 'open/app', {
      ...{ source_repository: 'prod/app', source_tag: '2', dest_repository: 'open/app' },
    }),
    { image: 'prod/app:2', destination: 'open/app:2', reason: null },
  ],
  [
    'another tag',
    of('image.retag', 'prod/app', { source_tag: '2', new_tag: 'stable' }),
    { image: 'prod/app:2', destination: 'prod/app:stable', reason: null },
  ],
  [
    'an event whose details are of another form',
    of('image.copy', 'open/app', { source_repository: 7, dest_repository: ['open'] }),
    { image: null, destination: null, reason: null },
  ],
])('of %s', (_, facts, expected) => {
  expect(facts).toEqual(expected);
});

it('an event that is none of a bypass has none', () => {
  const detail = { decision: { because: 'passes' } };
  const event = { event: 'staging.pushed', outcome: 'success' as const, resource: null, detail };
  expect(bypassFacts(event)).toBeNull();
});
