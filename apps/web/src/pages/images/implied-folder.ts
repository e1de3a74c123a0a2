import { ROOT_FOLDER } from '@portcullis/domain';

/** The preselected folder: none if allowed, or the only one; null if there is a choice. */
export function impliedFolder(pushable: readonly string[]): string | null {
  if (pushable.length === 0 || pushable.includes(ROOT_FOLDER)) return '';
  return pushable.length === 1 ? (pushable[0] ?? null) : null;
}
