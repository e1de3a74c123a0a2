/**
 * What runs in the cluster, in memory: of each pod that runs an image of the registry, and of no
 * other one.
 */
import { MOST_REPORTED, type PodRuns, type ReportedImage } from '@portcullis/domain/admission';

interface RunningNow {
  /** Each once, sorted. */
  images: ReportedImage[];
  notKnown: number;
}

export interface RunningPods {
  put(pod: PodRuns): void;
  remove(uid: string): void;
  /** By all pods of the cluster: those that it lacks are gone. */
  replace(pods: readonly PodRuns[]): void;
  /** Another number once something else runs. */
  revision(): number;
  running(): RunningNow;
}

interface Counted {
  image: ReportedImage;
  times: number;
}

export function createRunningPods(most = MOST_REPORTED): RunningPods {
  let pods = new Map<string, PodRuns>();
  const counted = new Map<string, Counted>();
  let notKnown = 0;
  let revision = 0;

  function add({ images, notKnown: more }: PodRuns): void {
    for (const image of images) {
      const key = keyOf(image);
      const before = counted.get(key);
      if (before) before.times += 1;
      else counted.set(key, { image, times: 1 });
      if (!before) revision += 1;
    }
    notKnown += more;
    if (more > 0) revision += 1;
  }

  function take({ images, notKnown: less }: PodRuns): void {
    for (const key of images.map(keyOf)) {
      const before = counted.get(key);
      if (!before) continue;
      before.times -= 1;
      if (before.times > 0) continue;
      counted.delete(key);
      revision += 1;
    }
    notKnown -= less;
    if (less > 0) revision += 1;
  }

  /** The new images first, so that those of both are neither gone nor new. */
  function change(uid: string, next: PodRuns | null): void {
    const before = pods.get(uid);
    if (next && before && isSame(before, next)) return;
    if (next) add(next);
    if (before) take(before);
    if (next) pods.set(uid, next);
    else pods.delete(uid);
  }

  return {
    put: (pod) => change(pod.uid, isEmpty(pod) ? null : pod),
    remove: (uid) => change(uid, null),
    replace(all) {
      const before = pods;
      pods = new Map(all.filter((pod) => !isEmpty(pod)).map((pod) => [pod.uid, pod]));
      const stays = (pod: PodRuns, others: ReadonlyMap<string, PodRuns>) => {
        const other = others.get(pod.uid);
        return other !== undefined && isSame(pod, other);
      };
      for (const pod of pods.values()) if (!stays(pod, before)) add(pod);
      for (const pod of before.values()) if (!stays(pod, pods)) take(pod);
    },
    revision: () => revision,
    running() {
      const keys = [...counted.keys()].sort();
      const images = keys.slice(0, most).flatMap((key) => counted.get(key)?.image ?? []);
      return { images, notKnown: notKnown + keys.length - images.length };
    },
  };
}

function keyOf({ namespace, repository, digest }: ReportedImage): string {
  return `${namespace} ${repository} ${digest}`;
}

function isEmpty({ images, notKnown }: PodRuns): boolean {
  return images.length === 0 && notKnown === 0;
}

function isSame(one: PodRuns, other: PodRuns): boolean {
  return (
    one.notKnown === other.notKnown &&
    one.images.length === other.images.length &&
    one.images.every((image, at) => {
      const there = other.images[at];
      return there !== undefined && keyOf(image) === keyOf(there);
    })
  );
}
