/** Errors for content that does not match its descriptor. */
import { type AppError, invalid, unavailable } from '@portcullis/errors';
import type { Descriptor } from '../model/descriptor.ts';

export function digestMismatch({ digest }: Descriptor): AppError {
  return invalid('DIGEST_MISMATCH', `the bytes are not those of ${digest}`);
}

export function sizeMismatch({ digest, size }: Descriptor): AppError {
  return invalid('SIZE_MISMATCH', `${digest} doesn't have the ${size} bytes it should have`);
}

/** Retryable, because an interrupted connection looks the same. */
export function truncated({ digest, size }: Descriptor, seen: number): AppError {
  return unavailable('CONTENT_TRUNCATED', `${digest} ended after ${seen} of ${size} bytes`);
}
