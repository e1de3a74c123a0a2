/** The fields that many routes share, in the registry's own grammar. */
import { isDigest, isRepository, isTag, parseHost } from '@portcullis/oci';
import { z } from 'zod';
import { HOST, REPOSITORY, TAG, TAG_OR_DIGEST } from './patterns.ts';

export const Repository = z
  .string()
  .refine(isRepository, {
    error: 'a repository path in lower case, without a host, tag or digest, at most 255 characters',
  })
  .meta({ pattern: REPOSITORY, maxLength: 255 });
export const Tag = z
  .string()
  .refine(isTag, {
    error:
      'a tag: 1 to 128 letters, digits, dots, dashes and underscores, not beginning with a dot or dash',
  })
  .meta({ pattern: TAG, maxLength: 128 });
export const TagOrDigest = z
  .string()
  .refine((text) => isTag(text) || isDigest(text), { error: 'a tag or a digest' })
  .meta({ pattern: TAG_OR_DIGEST, maxLength: 135 });
export const Platform = z
  .string()
  .regex(/^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/, 'os/architecture[/variant]');
export const HostText = z
  .string()
  .refine(isHost, { error: 'a host name or address with an optional :port' })
  .meta({ pattern: HOST, maxLength: 261 });
export const Username = z.string().min(1).max(255);
export const Password = z.string().min(1).max(16_384);

function isHost(text: string): boolean {
  try {
    parseHost(text);
    return true;
  } catch {
    return false;
  }
}

/** A form that sends `null` or an empty text means that it has nothing to say. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === null || value === '' ? undefined : value),
    schema.optional(),
  );
}
