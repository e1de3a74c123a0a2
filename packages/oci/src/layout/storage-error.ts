/** Maps file system errors to `STORAGE_FULL` and `STORAGE_FAILED`. */
import { isOciError, type OciError, unavailable } from '../oci-error.ts';

export function storageError(error: unknown): unknown {
  const code = errnoOf(error);
  if (code === undefined || isOciError(error)) return error;
  return code === 'ENOSPC' || code === 'EDQUOT' ? full(error) : failed(error, code);
}

export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The value, or undefined if the file does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function full(cause: unknown): OciError {
  return unavailable('STORAGE_FULL', 'no space is left on the disk for images', { cause });
}

function failed(cause: unknown, errno: string): OciError {
  return unavailable('STORAGE_FAILED', `the storage of images failed with ${errno}`, { cause });
}
