import { expect, it } from 'vitest';
import { podOf, reviewOf } from './admission.fixture.ts';
import { readReview } from './admission-review.ts';
import { startedImages } from './started-images.ts';

const image = { repository: 'team/app', digest: 'sha256:1' };

function startedBy(more: Record<string, unknown>, decided = [{ image }, { image: null }]) {
  const { request } = readReview(reviewOf({ object: podOf('r/team/app:1'), ...more }));
  if (request === null) throw new Error('the review is wrong');
  return startedImages({ cluster: 'eu' }, request, decided);
}

it('a pod starts the images of this registry in its namespace', () => {
  expect(startedBy({})).toEqual([{ cluster: 'eu', namespace: 'shop', ...image }]);
});

it.each<[string, Record<string, unknown>]>([
  ['a dry run', { dryRun: true }],
  ['a workload, whose pods are asked about', { group: 'apps', kind: 'Deployment' }],
  ['a kind of the same name in another group', { group: 'example.com' }],
  ['a pod outside of namespaces', { namespace: '' }],
  ['a namespace that Kubernetes would not have', { namespace: '<b>shop</b>' }],
  ['a namespace that has NUL', { namespace: 'a\0' }],
  ['a namespace without an end', { namespace: 'a'.repeat(64) }],
])('%s starts nothing', (_, more) => {
  expect(startedBy(more)).toEqual([]);
});
