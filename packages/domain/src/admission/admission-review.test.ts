import { expect, it } from 'vitest';
import { podOf, reviewOf, UID } from './admission.fixture.ts';
import { readReview } from './admission-review.ts';

it('reads what is asked, of whom and where', () => {
  const object = podOf('a');
  expect(readReview(reviewOf({ group: 'apps', kind: 'Deployment', object }))).toEqual({
    request: {
      ...{ uid: UID, group: 'apps', kind: 'Deployment', namespace: 'shop' },
      ...{ name: 'app', operation: 'CREATE', username: 'ann', isDryRun: false },
      ...{ object, oldObject: null },
    },
  });
});

it.each<[string, (review: ReturnType<typeof reviewOf>) => unknown]>([
  ['null', () => null],
  ['a list', () => []],
  ['a text', () => 'review'],
  ['nothing', () => ({})],
  ['a review without a request', (review) => ({ ...review, request: undefined })],
  [
    'a request without a uid',
    ({ request, ...review }) => ({ ...review, request: { ...request, uid: '' } }),
  ],
  [
    'a uid that is no text',
    ({ request, ...review }) => ({ ...review, request: { ...request, uid: 7 } }),
  ],
  [
    'a uid without an end',
    ({ request, ...review }) => ({ ...review, request: { ...request, uid: 'u'.repeat(129) } }),
  ],
])('%s can not be answered as a review', (_, change) => {
  expect(readReview(change(reviewOf({})))).toMatchObject({ request: null, uid: null });
});

it.each<[string, object, string]>([
  ['the former version', { apiVersion: 'admission.k8s.io/v1beta1' }, 'only an AdmissionReview'],
  ['another kind', { kind: 'ImageReview' }, 'only an AdmissionReview'],
  ['no kind', { request: { uid: UID, operation: 'CREATE' } }, 'names no kind'],
  ['no operation', { request: { uid: UID, kind: { kind: 'Pod' } } }, 'names no operation'],
  [
    'an object that is none',
    { request: { uid: UID, kind: { kind: 'Pod' }, operation: 'CREATE', object: 'pod' } },
    'the object of the request is no object',
  ],
  [
    'an old object that is none',
    { request: { uid: UID, kind: { kind: 'Pod' }, operation: 'CREATE', oldObject: [] } },
    'the oldObject of the request is no object',
  ],
])('%s is a fault that the answer names', (_, change, fault) => {
  expect(readReview({ ...reviewOf({}), ...change })).toEqual({
    ...{ request: null, uid: UID },
    fault: expect.stringContaining(fault),
  });
});
