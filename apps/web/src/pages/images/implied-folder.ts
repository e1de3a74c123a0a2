import { ROOT_FOLDER } from '@portcullis/domain';

/** The preselected folder: none if allowed, or the only one; null if there is a choice. */
export function impliedFolder(pushable: readonly string[]): string | null {
  if (pushable.length === 0 || pushable.includes(ROOT_FOLDER)) return '';
  return pushable.length === 1 ? (pushable[0] ?? null) : null;
}

/** The chosen folder where the account may push to it, which it may to no mirror. */
export function offeredFolder(chosen: string | null, pushable: readonly string[]): string | null {
  const isOffered = chosen !== null && pushable.includes(chosen || ROOT_FOLDER);
  return isOffered ? chosen : impliedFolder(pushable);
}
