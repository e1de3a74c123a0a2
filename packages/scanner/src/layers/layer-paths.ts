/** Paths in the archive of a layer, as engines and Trivy read them. */
import { posix } from 'node:path';

const UNCLEAN = /^\/|(?:^|\/)\.{0,2}(?:\/|$)/;

/** `nix//store/./a` is in `nix/store`. */
export function cleanPath(name: string): string {
  if (!UNCLEAN.test(name)) return name;
  const path = posix.join('/', name).slice(1);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

/**
 * The path that a whiteout hides, with all below it; null for any other file. Overlay file systems
 * don't know an opaque root, and engines disagree on a whiteout of no name: both hide nothing.
 */
export function hiddenBy(path: string): string | null {
  const slash = path.lastIndexOf('/');
  const [parent, file] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  if (file === OPAQUE) return parent || null;
  const name = file.startsWith(WHITEOUT) ? file.slice(WHITEOUT.length) : '';
  if (name === '' || name === '.' || name === '..') return null;
  return parent === '' ? name : `${parent}/${name}`;
}

/** The path that a symbolic link at `path` refers to. */
export function linkTarget(path: string, link: string): string {
  return cleanPath(link.startsWith('/') ? link : posix.join('/', posix.dirname(path), link));
}

/** Whether one of the hidden paths is this one or above it. */
export function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (hidden.has(path.slice(0, at))) return true;
  return false;
}
