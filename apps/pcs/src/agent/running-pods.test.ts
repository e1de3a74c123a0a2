import { expect, it } from 'vitest';
import { createRunningPods } from './running-pods.ts';

const image = (digest: string, namespace = 'shop') => ({
  ...{ namespace, repository: 'team/app' },
  digest,
});
const pod = (uid: string, digests: string[], notKnown = 0) => ({
  uid,
  images: digests.map((digest) => image(digest)),
  notKnown,
});

it('an image runs once, for as long as one of its pods does', () => {
  const pods = createRunningPods();
  pods.put(pod('a', ['1', '1']));
  pods.put(pod('b', ['1', '2']));
  expect(pods.running()).toEqual({ images: [image('1'), image('2')], notKnown: 0 });
  pods.remove('b');
  expect(pods.running().images).toEqual([image('1')]);
  pods.remove('a');
  pods.remove('a');
  expect(pods.running().images).toEqual([]);
});

it('the revision changes with what runs, and with nothing else', () => {
  const pods = createRunningPods();
  const changes = (work: () => void) => {
    const before = pods.revision();
    work();
    return pods.revision() !== before;
  };
  expect(changes(() => pods.put(pod('a', ['1'])))).toBe(true);
  expect(changes(() => pods.put(pod('a', ['1'])))).toBe(false);
  expect(changes(() => pods.put(pod('b', ['1'])))).toBe(false);
  expect(changes(() => pods.put(pod('c', [])))).toBe(false);
  expect(changes(() => pods.remove('a'))).toBe(false);
  expect(changes(() => pods.replace([pod('d', ['1']), pod('e', [])]))).toBe(false);
  expect(changes(() => pods.put(pod('d', ['1'], 1)))).toBe(true);
  expect(changes(() => pods.put(pod('d', ['2'], 1)))).toBe(true);
  expect(changes(() => pods.replace([]))).toBe(true);
  expect(pods.running()).toEqual({ images: [], notKnown: 0 });
});

it('what a list lacks is gone, and a pod of the same name that was made again is another one', () => {
  const pods = createRunningPods();
  pods.replace([pod('a', ['1'], 2), pod('b', ['2'])]);
  pods.replace([pod('b', ['2']), pod('c', ['3'])]);
  expect(pods.running()).toEqual({ images: [image('2'), image('3')], notKnown: 0 });
  pods.remove('a');
  expect(pods.running().images).toEqual([image('2'), image('3')]);
});

it('what a report has no room for counts as not known', () => {
  const pods = createRunningPods(2);
  pods.put(pod('a', ['3', '1', '2'], 1));
  expect(pods.running()).toEqual({ images: [image('1'), image('2')], notKnown: 2 });
});
