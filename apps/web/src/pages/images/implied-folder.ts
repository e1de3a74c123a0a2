import { ROOT_FOLDER } from '@portcullis/domain';

/** Where nothing is to be chosen: none for who may do without one, or the only one. Null where there is a choice. */
export function impliedFolder(pushable: readonly string[]): string | null {
  if (pushable.length === 0 || pushable.includes(ROOT_FOLDER)) return '';
  return pushable.length === 1 ? (pushable[0] ?? null) : null;
}
