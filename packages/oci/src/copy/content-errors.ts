/** Errors for content that does not match its descriptor. */

import type { Descriptor } from '../model/descriptor.ts';
import { invalid, type OciError, unavailable } from '../oci-error.ts';

export function digestMismatch({ digest }: Descriptor): OciError {
  return invalid('DIGEST_MISMATCH', `the bytes are not those of ${digest}`);
}

export function sizeMismatch({ digest, size }: Descriptor): OciError {
  return invalid('SIZE_MISMATCH', `${digest} doesn't have the ${size} bytes it should have`);
}

/** Retryable, because an interrupted connection looks the same. */
export function truncated({ digest, size }: Descriptor, seen: number): OciError {
  return unavailable('CONTENT_TRUNCATED', `${digest} ended after ${seen} of ${size} bytes`);
}
