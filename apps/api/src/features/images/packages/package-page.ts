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
  const start = cursor === undefined ? 0 : 1 + indexOf(cursor);
  const page = matching.slice(start, start + limit);
  const last = page.at(-1);

  function indexOf(place: string): number {
    const index = matching.findIndex(({ key }) => encode(sort, key) === place);
    if (index < 0) throw invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
    return index;
  }

  return {
    items: page.map(({ each }) => each),
    total: matching.length,
    nextCursor: last && matching.length > start + page.length ? encode(sort, last.key) : null,
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

/** A cursor of one order is none of another. Its length doesn't depend on what packages say. */
function encode(sort: PackageOrder, key: Key): string {
  return createHash('sha256')
    .update(JSON.stringify([sort, ...key]))
    .digest('base64url');
}
