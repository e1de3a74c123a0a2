import { describe, expect, it } from 'vitest';
import { podOf, reviewOf } from './admission.fixture.ts';
import { type AdmissionRequest, readReview } from './admission-review.ts';
import { wantedImages } from './pod-images.ts';

function requestOf(parts: Parameters<typeof reviewOf>[0]): AdmissionRequest {
  const { request } = readReview(reviewOf(parts));
  if (request === null) throw new Error('the review is wrong');
  return request;
}

const wanted = (parts: Parameters<typeof reviewOf>[0]) => wantedImages(requestOf(parts));
const named = (parts: Parameters<typeof reviewOf>[0]) => {
  const found = wanted(parts);
  return found.images?.map(({ image }) => image) ?? found;
};

describe('of a new object', () => {
  it('every place that starts an image counts', () => {
    const spec = {
      initContainers: [{ name: 'prepare', image: 'r/init:1' }],
      containers: [
        { name: 'app', image: 'r/app:1' },
        { name: 'twin', image: 'r/app:1' },
      ],
      ephemeralContainers: [{ name: 'debugger', image: 'r/debug:1' }],
      volumes: [
        { name: 'config', configMap: { name: 'c' } },
        { name: 'models', image: { reference: 'r/models:1' } },
      ],
    };
    expect(wanted({ object: { spec } })).toEqual({
      images: [
        {
          image: 'r/init:1',
          places: [{ by: 'init container prepare', path: '/spec/initContainers/0/image' }],
        },
        {
          image: 'r/app:1',
          places: [
            { by: 'container app', path: '/spec/containers/0/image' },
            { by: 'container twin', path: '/spec/containers/1/image' },
          ],
        },
        {
          image: 'r/debug:1',
          places: [
            { by: 'ephemeral container debugger', path: '/spec/ephemeralContainers/0/image' },
          ],
        },
        {
          image: 'r/models:1',
          places: [{ by: 'volume models', path: '/spec/volumes/1/image/reference' }],
        },
      ],
    });
  });

  const { spec } = podOf('r/app:1');
  const template = { spec };
  it.each<[string, string, object, string]>([
    ['', 'PodTemplate', { template }, '/template/spec/containers/0/image'],
    ['', 'ReplicationController', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    ['apps', 'Deployment', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    ['apps', 'StatefulSet', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    ['apps', 'DaemonSet', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    ['apps', 'ReplicaSet', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    ['batch', 'Job', { spec: { template } }, '/spec/template/spec/containers/0/image'],
    [
      'batch',
      'CronJob',
      { spec: { jobTemplate: { spec: { template } } } },
      '/spec/jobTemplate/spec/template/spec/containers/0/image',
    ],
  ])('%s %s has them in its template', (group, kind, object, path) => {
    expect(wanted({ group, kind, object })).toMatchObject({ images: [{ places: [{ path }] }] });
  });

  it.each<[string, object, string]>([
    ['no specification', {}, 'there is no /spec'],
    ['containers that are no list', { spec: { containers: {} } }, '/spec/containers is no list'],
    [
      'a container that is none',
      { spec: { containers: ['a'] } },
      '/spec/containers/0 is no object',
    ],
    ['a container without an image', { spec: { containers: [{ name: 'a' }] } }, 'names no image'],
    ['an empty image', { spec: { containers: [{ image: '' }] } }, 'names no image'],
    ['an image that is no text', { spec: { initContainers: [{ image: 7 }] } }, 'names no image'],
    ['a volume that names none', { spec: { volumes: [{ image: {} }] } }, 'names no reference'],
    ['images without an end', podOf(...Array.from({ length: 101 }, (_, at) => `r/${at}`)), '100'],
  ])('%s is a fault, never an object without images', (_, object, fault) => {
    expect(wanted({ object })).toEqual({ images: null, fault: expect.stringContaining(fault) });
  });

  it.each<[string, object]>([
    ['an image volume without a reference', { volumes: [{ name: 'models', image: {} }] }],
    ['an image of a space', { containers: [{ name: 'app', image: ' ' }] }],
    ['a container without an image', { containers: [{ name: 'app' }] }],
  ])('%s is left to the pods in a template, and is a fault in a pod', (_, spec) => {
    const template = { spec: { template: { spec } } };
    expect(wanted({ group: 'apps', kind: 'Deployment', object: template })).toEqual({ images: [] });
    expect(named({ object: { spec } })).not.toEqual([]);
  });

  it.each(['PATCH', 'create', ''])('of the operation %j is a fault', (operation) => {
    const fault = 'its operation is not one of Kubernetes';
    expect(wanted({ operation, object: podOf('r/app:1') })).toEqual({ images: null, fault });
  });

  it('a missing object is a fault', () => {
    expect(wanted({})).toEqual({ images: null, fault: 'the Pod of the request is missing' });
  });
});

describe('of an update', () => {
  const update = (before: object | undefined, after: object) =>
    named({ operation: 'UPDATE', object: after, oldObject: before });

  it('what was there before is not judged again (kyverno/kyverno #8815, #2171)', () => {
    expect(update(podOf('r/app:1'), podOf('r/app:1'))).toEqual([]);
  });

  it('only what is new is judged', () => {
    expect(update(podOf('r/app:1', 'r/log:1'), podOf('r/app:2', 'r/log:1'))).toEqual(['r/app:2']);
  });

  it('a container for debugging is judged (kyverno/kyverno #16947)', () => {
    const pod = podOf('r/app:1');
    const ephemeralContainers = [{ name: 'debugger', image: 'r/debug:1' }];
    const debugged = { ...pod, spec: { ...pod.spec, ephemeralContainers } };
    expect(update(pod, debugged)).toEqual(['r/debug:1']);
  });

  it('without the object of before everything is judged', () => {
    expect(update(undefined, podOf('r/app:1'))).toEqual(['r/app:1']);
    expect(update({ spec: 7 }, podOf('r/app:1'))).toEqual(['r/app:1']);
  });

  it('an object that is being deleted gets no other image (CVE-2023-34091)', () => {
    const metadata = { deletionTimestamp: '2026-11-30T00:00:00Z' };
    const deleted = (image: string) => ({ ...podOf(image), metadata });
    expect(update(deleted('r/app:1'), deleted('r/app:2'))).toEqual(['r/app:2']);
    expect(update(deleted('r/app:1'), deleted('r/app:1'))).toEqual([]);
  });

  it('a new object can not pretend to be deleted', () => {
    const metadata = { deletionTimestamp: '2026-11-30T00:00:00Z' };
    expect(named({ object: { ...podOf('r/app:1'), metadata } })).toEqual(['r/app:1']);
  });
});

it.each<[string, string, string, boolean]>([
  ['', 'Pod', 'DELETE', true],
  ['', 'Pod', 'CONNECT', true],
  ['', 'ConfigMap', 'CREATE', false],
  ['argoproj.io', 'Rollout', 'CREATE', false],
  ['extensions', 'Deployment', 'CREATE', false],
  ['policy', 'Eviction', 'CREATE', false],
])('%s %s of %s asks for no image', (group, kind, operation, isKnown) => {
  expect(wanted({ group, kind, operation })).toEqual({ images: null, isKnown });
});
