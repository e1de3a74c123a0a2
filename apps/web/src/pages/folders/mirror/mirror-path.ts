/** The addresses of the page of a mirror. */
import type { MirrorTagState } from '@portcullis/domain/mirror';

export function mirrorPath(folder: string, state?: MirrorTagState): string {
  const query = state === undefined ? '' : `?${new URLSearchParams({ state })}`;
  return `/folders/${folder}/mirror${query}`;
}
