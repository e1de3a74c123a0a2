/** The mirror for a host that a client names, as containerd does with `?ns=`. */
import { isRepository, registryHost } from '@portcullis/oci';
import type { Mirror } from './mirror.ts';

/**
 * The repository here of a repository at a host: in the mirror of the longest prefix, then in that
 * whose folder has the name of the host, then in the first by name. Null where none has it.
 */
export function repositoryInMirror(
  host: string,
  repository: string,
  mirrors: readonly Mirror[],
): string | null {
  const wanted = hostOf(host);
  const [best] = mirrors
    .filter((mirror) => mirror.host === wanted && isBelow(mirror, repository))
    .toSorted(
      (one, other) =>
        other.prefix.length - one.prefix.length ||
        Number(other.folder === host) - Number(one.folder === host) ||
        one.folder.localeCompare(other.folder, 'en'),
    );
  if (!best) return null;
  const path = best.prefix === '' ? repository : repository.slice(best.prefix.length + 1);
  const here = `${best.folder}/${path}`;
  return isRepository(here) ? here : null;
}

/** Docker Hub has several names. */
function hostOf(text: string): string | null {
  try {
    return registryHost(text);
  } catch {
    return null;
  }
}

function isBelow({ prefix }: Mirror, repository: string): boolean {
  return prefix === '' || repository.startsWith(`${prefix}/`);
}
