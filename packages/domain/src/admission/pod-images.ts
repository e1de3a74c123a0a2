/** The images that an object of Kubernetes starts, by the places that name them. */
import { isRecord } from '../is-record.ts';
import type { AdmissionRequest } from './admission-review.ts';

interface PodImage {
  /** As it is written. */
  image: string;
  /** What names it: `container app`, `volume models`. */
  by: string;
  /** JSON pointer to it in the object. */
  path: string;
}

/** An image that several places name is decided once. */
export interface WantedImage {
  image: string;
  places: Omit<PodImage, 'image'>[];
}

export type PodImages =
  | { images: WantedImage[] }
  /** Nothing of the object starts an image: another kind or operation, or it is being deleted. */
  | { images: null; isKnown: boolean }
  | { images: null; fault: string };

/** Where the specification of pods is, by group and kind. */
const POD_SPECS = new Map<string, readonly string[]>([
  ['/Pod', ['spec']],
  ['/PodTemplate', ['template', 'spec']],
  ['/ReplicationController', ['spec', 'template', 'spec']],
  ['apps/Deployment', ['spec', 'template', 'spec']],
  ['apps/StatefulSet', ['spec', 'template', 'spec']],
  ['apps/DaemonSet', ['spec', 'template', 'spec']],
  ['apps/ReplicaSet', ['spec', 'template', 'spec']],
  ['batch/Job', ['spec', 'template', 'spec']],
  ['batch/CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
]);

const CONTAINERS = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
  ['ephemeralContainers', 'ephemeral container'],
] as const;

/** More than pods have that a node can run. */
const MOST_IMAGES = 100;

/**
 * Of an update only images that were not there before: what runs is not judged again, else no
 * controller could remove the finalizer of a pod whose image was blocked meanwhile.
 */
export function wantedImages(request: AdmissionRequest): PodImages {
  const { group, kind, operation, object, oldObject } = request;
  const path = POD_SPECS.get(`${group}/${kind}`);
  if (!path) return { images: null, isKnown: false };
  if (operation !== 'CREATE' && operation !== 'UPDATE') return { images: null, isKnown: true };
  if (object === null) return { images: null, fault: `the ${kind} of the request is missing` };
  if (operation === 'UPDATE' && isBeingDeleted(object)) return { images: null, isKnown: true };
  const named = imagesIn(object, path);
  if (typeof named === 'string') return { images: null, fault: named };
  const known = operation === 'UPDATE' && oldObject !== null ? imagesIn(oldObject, path) : [];
  const before = new Set(typeof known === 'string' ? [] : known.map(({ image }) => image));
  const images = byImage(named.filter(({ image }) => !before.has(image)));
  if (images.length <= MOST_IMAGES) return { images };
  return { images: null, fault: `it names more than ${MOST_IMAGES} images` };
}

function isBeingDeleted({ metadata }: Record<string, unknown>): boolean {
  return isRecord(metadata) && typeof metadata.deletionTimestamp === 'string';
}

/** @returns a fault as text */
function imagesIn(object: Record<string, unknown>, path: readonly string[]): PodImage[] | string {
  let spec: unknown = object;
  for (const step of path) spec = isRecord(spec) ? spec[step] : undefined;
  const pointer = `/${path.join('/')}`;
  if (!isRecord(spec)) return `there is no ${pointer}`;
  const found: PodImage[] = [];
  for (const [field, word] of CONTAINERS) {
    const fault = readContainers(spec[field], { at: `${pointer}/${field}`, word, found });
    if (fault !== null) return fault;
  }
  return readVolumes(spec.volumes, { at: `${pointer}/volumes`, word: 'volume', found }) ?? found;
}

interface Field {
  at: string;
  word: string;
  found: PodImage[];
}

function readContainers(value: unknown, { at, word, found }: Field): string | null {
  return eachOf(value, at, (container, path) => {
    const { image, name } = container;
    if (typeof image !== 'string' || image === '') return `${path} names no image`;
    found.push({ image, by: `${word} ${wordOf(name)}`, path: `${path}/image` });
    return null;
  });
}

/** Volumes of other kinds have no image. */
function readVolumes(value: unknown, { at, word, found }: Field): string | null {
  return eachOf(value, at, ({ image: source, name }, path) => {
    if (source === undefined || source === null) return null;
    const image = isRecord(source) ? source.reference : null;
    if (typeof image !== 'string' || image === '') return `${path}/image names no reference`;
    found.push({ image, by: `${word} ${wordOf(name)}`, path: `${path}/image/reference` });
    return null;
  });
}

function eachOf(
  value: unknown,
  at: string,
  read: (item: Record<string, unknown>, path: string) => string | null,
): string | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) return `${at} is no list`;
  for (const [position, item] of value.entries()) {
    const path = `${at}/${position}`;
    const fault = isRecord(item) ? read(item, path) : `${path} is no object`;
    if (fault !== null) return fault;
  }
  return null;
}

function wordOf(name: unknown): string {
  return typeof name === 'string' ? name : '?';
}

function byImage(named: readonly PodImage[]): WantedImage[] {
  const groups = Map.groupBy(named, ({ image }) => image);
  return [...groups].map(([image, places]) => ({
    image,
    places: places.map(({ by, path }) => ({ by, path })),
  }));
}
