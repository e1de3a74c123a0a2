/**
 * Searches, sorts and pages a list of packages, in steps: an image may have as many as its author
 * wrote into it.
 */
import { hash } from 'node:crypto';
import type { PackageOrder } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { inSlices, type Steps, sortedSteps } from '@portcullis/oci';
import type { ListedPackage } from '@portcullis/scanner';

export interface PackageFilter {
  /** A part of the name in upper or lower case. */
  q: string | undefined;
  /** The digest of a layer; undefined for all layers. */
  layer: string | undefined;
  sort: PackageOrder;
  /** The digests of the image's layers, from its base. */
  layers: readonly string[];
  limit: number;
  cursor: string | undefined;
}

export interface PackagePage {
  items: ListedPackage[];
  total: number;
  nextCursor: string | null;
}

/** @throws invalid `CURSOR_INVALID` */
export function packagePage(
  packages: readonly ListedPackage[],
  filter: PackageFilter,
): Promise<PackagePage> {
  return inSlices(pageSteps(packages, filter));
}

function* pageSteps(packages: readonly ListedPackage[], filter: PackageFilter): Steps<PackagePage> {
  const { sort, limit, cursor } = filter;
  const order = orderOf(sort);
  const found = yield* matchingSteps(packages, filter);
  const matching = yield* sortedSteps(found, (one, other) => order(one.key, other.key));
  const start = cursor === undefined ? 0 : yield* placeAfter(cursor, sort, matching);
  const end = start + limit;
  return {
    items: matching.slice(start, end).map(({ each }) => each),
    total: matching.length,
    nextCursor: matching.length > end ? encode(sort, matching, end - 1) : null,
  };
}

interface Keyed {
  each: ListedPackage;
  key: Key;
}

const AT_ONCE = 200;

function* matchingSteps(
  packages: readonly ListedPackage[],
  { q = '', layer: wantedLayer, sort, layers }: PackageFilter,
): Steps<Keyed[]> {
  const wanted = q.toLowerCase();
  const columnOf = valuesOf(sort, layers);
  const found: Keyed[] = [];
  for (const [at, each] of packages.entries()) {
    if (at % AT_ONCE === 0) yield;
    if (wantedLayer !== undefined && each.layer !== wantedLayer) continue;
    if (!each.name.toLowerCase().includes(wanted)) continue;
    found.push({ each, key: [columnOf(each), ...placeOf(each)] });
  }
  return found;
}

/** The value of the column, empty where it is not known, and the place among equal ones. */
type Key = readonly string[];

const LAYER_DIGITS = 6;

function valuesOf(sort: PackageOrder, layers: readonly string[]): (of: ListedPackage) => string {
  if (sort.endsWith('licenses')) return ({ licenses }) => licenses.join(', ').toLowerCase();
  if (!sort.endsWith('layer')) return () => '';
  const values = new Map(
    layers.map((digest, at) => [digest, String(at).padStart(LAYER_DIGITS, '0')]),
  );
  return ({ layer }) => values.get(layer) ?? '';
}

function placeOf({ name, type, version, path }: ListedPackage): Key {
  return [name.toLowerCase(), name, type, version, path ?? ''];
}

function orderOf(sort: PackageOrder): (one: Key, other: Key) => number {
  const direction = sort.startsWith('-') ? -1 : 1;
  return (one, other) => {
    let at = 0;
    while (at < one.length && one[at] === other[at]) at += 1;
    if (at === one.length) return 0;
    const [a = '', b = ''] = [one[at], other[at]];
    const ascending = a < b ? -1 : 1;
    if (at > 0) return sort === '-name' ? -ascending : ascending;
    return a === '' || b === '' ? -ascending : direction * ascending;
  };
}

/**
 * The place of the last package of a page, and a digest of its key: the length doesn't depend on
 * what packages say, and a cursor of one order is none of another.
 */
function encode(sort: PackageOrder, sorted: readonly Keyed[], at: number): string {
  const digest = digestOf(sort, sorted[at]?.key ?? []);
  return Buffer.from(JSON.stringify([at, digest])).toString('base64url');
}

function digestOf(sort: PackageOrder, key: Key): string {
  return hash('sha256', JSON.stringify([sort, ...key]), 'base64url');
}

/**
 * Where the next page begins. Only where the list is another by now, all of it is searched.
 * @throws invalid `CURSOR_INVALID`
 */
function* placeAfter(cursor: string, sort: PackageOrder, sorted: readonly Keyed[]): Steps<number> {
  const [at, digest] = decode(cursor);
  const isThere = ({ key }: Keyed) => digestOf(sort, key) === digest;
  const here = sorted[at];
  if (here && isThere(here)) return at + 1;
  for (const [place, each] of sorted.entries()) {
    if (place % AT_ONCE === 0) yield;
    if (isThere(each)) return place + 1;
  }
  throw cursorInvalid();
}

/** @throws invalid `CURSOR_INVALID` */
function decode(cursor: string): [at: number, digest: string] {
  try {
    const [at, digest]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof at === 'number' && typeof digest === 'string') return [at, digest];
  } catch {}
  throw cursorInvalid();
}

function cursorInvalid(): Error {
  return invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}
