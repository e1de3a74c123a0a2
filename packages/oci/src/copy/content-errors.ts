/** What content that isn't what its descriptor says is called. */
import { type AppError, invalid, unavailable } from '@portcullis/errors';
import type { Descriptor } from '../model/descriptor.ts';

export function digestMismatch({ digest }: Descriptor): AppError {
  return invalid('DIGEST_MISMATCH', `the bytes are not those of ${digest}`);
}

export function sizeMismatch({ digest, size }: Descriptor): AppError {
  return invalid('SIZE_MISMATCH', `${digest} doesn't have the ${size} bytes it should have`);
}

/** A connection that was cut looks like this, so it may be tried again. */
export function truncated({ digest, size }: Descriptor, seen: number): AppError {
  return unavailable('CONTENT_TRUNCATED', `${digest} ended after ${seen} of ${size} bytes`);
}
