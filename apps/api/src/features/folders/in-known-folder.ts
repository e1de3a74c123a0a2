/** Says of an insert whose folder does not exist which field is wrong. */
import { isAppError } from '@portcullis/errors';
import { fieldInvalid } from '../../http/problem.ts';

/** @throws invalid `FOLDER_UNKNOWN` with the field */
export async function inKnownFolder<T>(
  folder: string | null,
  insert: () => Promise<T>,
): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'not_found') throw error;
    const params = { folder: folder ?? '' };
    throw fieldInvalid('folder', 'FOLDER_UNKNOWN', 'There is no such folder.', params);
  }
}
