/** Which tags of a repository come nearest to one that may not be used: what to use instead. */
import { newestFirst } from './tag-order.ts';

/**
 * Orders the tags: those of the same variant (`-alpine`, `-slim`) before others; in each, the next
 * newer ones first, then older ones. A tag that is no version, such as `latest`, says nothing about
 * what is near, so that all others come newest first.
 */
export function nearestTags(tag: string, others: Iterable<string>): string[] {
  const ordered = newestFirst(new Set([...others, tag]));
  const at = ordered.indexOf(tag);
  const near = isVersion(tag)
    ? [...ordered.slice(0, at).reverse(), ...ordered.slice(at + 1)]
    : ordered.toSpliced(at, 1);
  const isSame = (other: string) => variantOf(other) === variantOf(tag);
  return [...near.filter(isSame), ...near.filter((other) => !isSame(other))];
}

/** The newest tag of the same variant; null where none is newer than the tag. */
export function newerVariant(tag: string, others: Iterable<string>): string | null {
  const isSame = (other: string) => variantOf(other) === variantOf(tag);
  const [newest] = newestFirst([...new Set([...others, tag])].filter(isSame));
  return newest === undefined || newest === tag ? null : newest;
}

const VERSION = /^v?\d+(?:[._]\d+)*/;

const isVersion = (tag: string): boolean => VERSION.test(tag);

/** What stands behind the version, without the numbers in it; candidates of releases are apart. */
function variantOf(tag: string): string {
  const rest = isVersion(tag) ? tag.replace(VERSION, '') : tag.replace(/^[^-]*/, '');
  return rest.replaceAll(/\d+(?:\.\d+)*/g, '').toLowerCase();
}
