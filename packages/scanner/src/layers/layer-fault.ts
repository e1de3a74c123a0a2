/** Whose fault it is that a layer could not be read: the image's, or the machine's. */
import { type AppError, invalid, isAppError, unavailable } from '@portcullis/errors';
import { hasCode } from '@portcullis/runtime/system-error';

/**
 * An error of a system call says nothing about the image: the disk of the worker is full, is
 * read-only or fails, or it has too many open files.
 * @returns unavailable for the machine, which passes; invalid `SCAN_LAYER_INVALID` for the image
 */
export function layerFault(cause: unknown): AppError {
  if (hasCode(cause, 'ENOENT')) return incomplete(cause);
  if (hasCode(cause, 'ENOSPC', 'EDQUOT')) return noSpace(cause);
  if (cause instanceof Error && 'syscall' in cause)
    return unavailable('SCAN_FAILED', 'this worker could not read or write a layer', { cause });
  if (isAppError(cause) && PASSED_ON.has(cause.kind)) return cause;
  return invalid('SCAN_LAYER_INVALID', 'a layer of the image could not be unpacked', { cause });
}

const PASSED_ON = new Set(['unavailable', 'too_large']);

export function incomplete(cause: unknown): AppError {
  return invalid('SCAN_LAYOUT_INVALID', 'the staged image is incomplete', { cause });
}

/** A disk that is full while an image is unpacked, by us or by Trivy. */
export function noSpace(cause: unknown): AppError {
  const message = 'the disk is full: the scan could not unpack the image';
  return unavailable('SCAN_NO_SPACE', message, { cause });
}
