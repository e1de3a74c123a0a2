/** Searches and pages a list of packages. */
import { invalid } from '@portcullis/errors';
import type { ListedPackage } from '@portcullis/scanner';

export interface PackageFilter {
  /** A part of the name in upper or lower case. */
  q: string | undefined;
  /** The digest of a layer; undefined for all layers. */
  layer: string | undefined;
  limit: number;
  cursor: string | undefined;
}

export interface PackagePage {
  items: ListedPackage[];
  total: number;
  nextCursor: string | null;
}

/** By name. @throws invalid `CURSOR_INVALID` */
export function packagePage(
  packages: readonly ListedPackage[],
  { q = '', layer: wantedLayer, limit, cursor }: PackageFilter,
): PackagePage {
  const wanted = q.toLowerCase();
  const matching = packages
    .filter(({ layer }) => wantedLayer === undefined || layer === wantedLayer)
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map((each) => ({ each, key: keyOf(each) }))
    .sort((one, other) => order(one.key, other.key));
  const after = cursor === undefined ? null : decode(cursor);
  const rest = after === null ? matching : matching.filter(({ key }) => order(key, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ each }) => each),
    total: matching.length,
    nextCursor: last && rest.length > page.length ? encode(last.key) : null,
  };
}

type Key = readonly string[];

function keyOf({ name, type, version, path }: ListedPackage): Key {
  return [name.toLowerCase(), name, type, version, path ?? ''];
}

function order(one: Key, other: Key): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  if (at < 0) return 0;
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}

function encode(key: Key): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** @throws invalid `CURSOR_INVALID` */
function decode(cursor: string): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(key) && key.length === 5 && key.every((each) => typeof each === 'string'))
      return key;
  } catch {}
  throw invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}
