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
  /** Nothing of the object starts an image: it is of another kind, or the operation starts none. */
  | { images: null; isKnown: boolean }
  | { images: null; fault: string };

const POD = '/Pod';
/** Where the specification of pods is, by group and kind. */
const POD_SPECS = new Map<string, readonly string[]>([
  [POD, ['spec']],
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

/** An API server sends no other operations than these four. */
const STARTING: readonly string[] = ['CREATE', 'UPDATE'];
const STARTING_NOTHING: readonly string[] = ['DELETE', 'CONNECT'];

/** More than pods have that a node can run. */
const MOST_IMAGES = 100;

/**
 * Of an update only images that were not there before: what runs is not judged again, else no
 * controller could remove the finalizer of a pod whose image was blocked meanwhile. That an object
 * is being deleted excuses nothing: a finalizer of its owner keeps it for as long as they want
 * (CVE-2023-34091 of Kyverno).
 */
export function wantedImages(request: AdmissionRequest): PodImages {
  const { group, kind, operation, object, oldObject } = request;
  const name = `${group}/${kind}`;
  const path = POD_SPECS.get(name);
  if (!path) return { images: null, isKnown: false };
  if (STARTING_NOTHING.includes(operation)) return { images: null, isKnown: true };
  if (!STARTING.includes(operation))
    return { images: null, fault: 'its operation is not one of Kubernetes' };
  if (object === null) return { images: null, fault: `the ${kind} of the request is missing` };
  const place = { path, isPod: name === POD };
  const named = imagesIn(object, place);
  if (typeof named === 'string') return { images: null, fault: named };
  const known = operation === 'UPDATE' && oldObject !== null ? imagesIn(oldObject, place) : [];
  const before = new Set(typeof known === 'string' ? [] : known.map(({ image }) => image));
  const images = byImage(named.filter(({ image }) => !before.has(image)));
  if (images.length <= MOST_IMAGES) return { images };
  return { images: null, fault: `it names more than ${MOST_IMAGES} images` };
}

interface SpecPosition {
  path: readonly string[];
  /** Else a template, in which a field may be left for what creates the pods to write. */
  isPod: boolean;
}

/** @returns a fault as text */
function imagesIn(
  object: Record<string, unknown>,
  { path, isPod }: SpecPosition,
): PodImage[] | string {
  let spec: unknown = object;
  for (const step of path) spec = isRecord(spec) ? spec[step] : undefined;
  const pointer = `/${path.join('/')}`;
  if (!isRecord(spec)) return `there is no ${pointer}`;
  const found: PodImage[] = [];
  for (const [field, word] of CONTAINERS) {
    const fault = readContainers(spec[field], { at: `${pointer}/${field}`, word, isPod, found });
    if (fault !== null) return fault;
  }
  return (
    readVolumes(spec.volumes, { at: `${pointer}/volumes`, word: 'volume', isPod, found }) ?? found
  );
}

interface Field extends Pick<SpecPosition, 'isPod'> {
  at: string;
  word: string;
  found: PodImage[];
}

function readContainers(value: unknown, { at, word, isPod, found }: Field): string | null {
  return eachOf(value, at, (container, path) => {
    const { image, name } = container;
    if (isLeftOpen(image, isPod)) return null;
    if (typeof image !== 'string' || image === '') return `${path} names no image`;
    found.push({ image, by: `${word} ${wordOf(name)}`, path: `${path}/image` });
    return null;
  });
}

/** Volumes of other kinds have no image. */
function readVolumes(value: unknown, { at, word, isPod, found }: Field): string | null {
  return eachOf(value, at, ({ image: source, name }, path) => {
    if (source === undefined || source === null) return null;
    if (!isRecord(source)) return `${path}/image is no object`;
    const { reference: image } = source;
    if (isLeftOpen(image, isPod)) return null;
    if (typeof image !== 'string' || image === '') return `${path}/image names no reference`;
    found.push({ image, by: `${word} ${wordOf(name)}`, path: `${path}/image/reference` });
    return null;
  });
}

/**
 * An API server stores templates with such fields: an image volume without a reference, and the
 * single space that OpenShift replaces (openshift/origin #14659). The pods are asked about.
 */
function isLeftOpen(image: unknown, isPod: boolean): boolean {
  if (isPod) return false;
  return image === undefined || (typeof image === 'string' && image.trim() === '');
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
