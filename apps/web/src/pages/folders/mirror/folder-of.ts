import type { MirrorTagView } from '@portcullis/contract';

/** The folder of a tag of a mirror, which is never the root. */
export function folderOf({ repository }: Pick<MirrorTagView, 'repository'>): string {
  return repository.slice(0, repository.indexOf('/'));
}
