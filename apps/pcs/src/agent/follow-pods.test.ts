import { expect, it } from 'vitest';
import { followPods } from './follow-pods.ts';
import type { KubePods } from './kube-pods.ts';
import type { PodPage } from './pod-events.ts';
import { createRunningPods } from './running-pods.ts';

type Watched = ReturnType<KubePods['watch']> extends AsyncGenerator<infer E> ? E : never;
type Step = { page: PodPage | null | Error } | { watch: (Watched | Error)[] };

const podOf = (uid: string) => ({
  ...{ uid, notKnown: 0 },
  images: [{ namespace: 'shop', repository: 'team/app', digest: uid }],
});
const added = (uid: string, version: string): Watched => ({
  ...{ kind: 'pod', pod: podOf(uid), version },
});
const list = (version: string, ...uids: string[]): Step => ({
  page: { pods: uids.map(podOf), version, next: null },
});
const opened: Watched = { kind: 'opened' };

/** The cluster answers these in this order; what was asked, and what ran after each round. */
async function follow(...steps: Step[]) {
  const asked: string[] = [];
  const rounds: string[] = [];
  const faults: string[] = [];
  const pauses: number[] = [];
  const pods = createRunningPods();
  let isCurrent = false;
  let wasCurrent = false;
  const next = <K extends 'page' | 'watch'>(kind: K) => {
    const step = steps.shift();
    if (!step || !(kind in step)) throw new Error(`${kind} was not expected`);
    return step as Extract<Step, Record<K, unknown>>;
  };
  await followPods(
    {
      kube: {
        async page(from) {
          asked.push(`list ${from ?? ''}`.trim());
          const { page } = next('page');
          if (page instanceof Error) throw page;
          return page;
        },
        async *watch(from) {
          asked.push(`watch ${from}`);
          for (const event of next('watch').watch) {
            if (event instanceof Error) throw event;
            yield event;
          }
        },
      },
      pods,
      current(is) {
        isCurrent = is;
        wasCurrent ||= is;
      },
      fault: (error) => faults.push(String(error)),
      async pause(failures) {
        pauses.push(failures);
        const running = pods.running().images.map(({ digest }) => digest);
        rounds.push(running.join());
      },
    },
    () => steps.length === 0,
  );
  return { asked, rounds, faults, pauses, isCurrent, wasCurrent };
}

it('a watch that ends goes on from the newest version, bookmarks included', async () => {
  const { asked, rounds, pauses } = await follow(
    list('1', 'a'),
    { watch: [opened, added('b', '2'), { kind: 'bookmark', version: '5' }] },
    { watch: [opened, { kind: 'gone', uid: 'a', version: '6' }] },
    { watch: [opened] },
  );
  expect(asked).toEqual(['list', 'watch 1', 'watch 5', 'watch 6']);
  expect(rounds).toEqual(['a,b', 'b', 'b']);
  expect(pauses).toEqual([0, 0, 0]);
});

it('what has expired is listed again, and again with longer pauses', async () => {
  const expired: Step = { watch: [opened, { kind: 'expired' }] };
  const { asked, rounds, pauses } = await follow(
    ...[list('1', 'a'), expired, list('2', 'b'), expired, list('3', 'b', 'c')],
    { watch: [opened, added('d', '4')] },
  );
  expect(asked).toEqual(['list', 'watch 1', 'list', 'watch 2', 'list', 'watch 3']);
  expect(rounds).toEqual(['a', 'b', 'b,c,d']);
  expect(pauses).toEqual([1, 2, 0]);
});

it('a list of many pages counts once it is whole; one that expires begins again', async () => {
  const page = (next: string | null, ...uids: string[]): Step => ({
    page: { pods: uids.map(podOf), version: '9', next },
  });
  const { asked, rounds } = await follow(
    ...[list('1', 'old'), { watch: [opened, { kind: 'expired' as const }] }],
    ...[page('x', 'a'), { page: null }],
    ...[page('y', 'a'), page(null, 'b')],
    { watch: [opened] },
  );
  expect(asked).toEqual(['list', 'watch 1', 'list', 'list x', 'list', 'list y', 'watch 9']);
  expect(rounds).toEqual(['old', 'old', 'a,b']);
});

it('a fault is said, and what ran before stays in memory, but is not current', async () => {
  const { asked, rounds, faults, pauses, isCurrent, wasCurrent } = await follow(
    { page: new Error('no connection') },
    list('1', 'a'),
    { watch: [opened, new Error('cut')] },
    { watch: [new Error('no connection')] },
    { watch: [new Error('401')] },
  );
  expect(asked).toEqual(['list', 'list', 'watch 1', 'watch 1', 'watch 1']);
  expect(rounds).toEqual(['', 'a', 'a', 'a']);
  expect(faults).toEqual([
    'Error: no connection',
    'Error: cut',
    'Error: no connection',
    'Error: 401',
  ]);
  expect(pauses).toEqual([1, 2, 3, 4]);
  expect([wasCurrent, isCurrent]).toEqual([true, false]);
});
