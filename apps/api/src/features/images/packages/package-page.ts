/** Searches, sorts and pages a list of packages. */
import { createHash } from 'node:crypto';
import type { PackageOrder } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
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
  { q = '', layer: wantedLayer, sort, layers, limit, cursor }: PackageFilter,
): PackagePage {
  const wanted = q.toLowerCase();
  const order = orderOf(sort);
  const columnOf = valuesOf(sort, layers);
  const matching = packages
    .filter(({ layer }) => wantedLayer === undefined || layer === wantedLayer)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map((each) => ({ each, key: [columnOf(each), ...placeOf(each)] }))
    .sort((one, other) => order(one.key, other.key));
  const keys = matching.map(({ key }) => key);
  const start = cursor === undefined ? 0 : placeAfter(cursor, sort, keys);
  const end = start + limit;
  return {
    items: matching.slice(start, end).map(({ each }) => each),
    total: matching.length,
    nextCursor: matching.length > end ? encode(sort, keys, end - 1) : null,
  };
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
    const at = one.findIndex((part, index) => part !== other[index]);
    if (at < 0) return 0;
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
function encode(sort: PackageOrder, keys: readonly Key[], at: number): string {
  return Buffer.from(JSON.stringify([at, digestOf(sort, keys[at] ?? [])])).toString('base64url');
}

function digestOf(sort: PackageOrder, key: Key): string {
  return createHash('sha256')
    .update(JSON.stringify([sort, ...key]))
    .digest('base64url');
}

/**
 * Where the next page begins. Only where the list is another by now, all of it is searched.
 * @throws invalid `CURSOR_INVALID`
 */
function placeAfter(cursor: string, sort: PackageOrder, keys: readonly Key[]): number {
  const [at, digest] = decode(cursor);
  const isThere = (key: Key) => digestOf(sort, key) === digest;
  const here = keys[at];
  const found = here && isThere(here) ? at : keys.findIndex(isThere);
  if (found < 0) throw cursorInvalid();
  return found + 1;
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
