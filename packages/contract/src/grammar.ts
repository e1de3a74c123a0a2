/** Fields that many routes share. Their grammar is that of the registry protocol. */
import { isDigest, isRepository, isTag, PLATFORM_NAME, parseHost } from '@portcullis/oci';
import { z } from 'zod';
import { rule } from './field-faults.ts';
import { DIGEST, HOST, REPOSITORY, TAG, TAG_OR_DIGEST } from './patterns.ts';

export const Repository = z
  .string()
  .refine(
    isRepository,
    rule(
      'REPOSITORY_INVALID',
      'A lower-case repository path without host, tag or digest, at most 255 characters, is expected.',
    ),
  )
  .meta({ pattern: REPOSITORY, maxLength: 255 });
export const Tag = z
  .string()
  .refine(
    isTag,
    rule(
      'TAG_INVALID',
      'A tag has 1 to 128 letters, digits, dots, dashes and underscores, and no dot or dash first.',
    ),
  )
  .meta({ pattern: TAG, maxLength: 128 });
export const TagOrDigest = z
  .string()
  .refine(
    (text) => isTag(text) || isDigest(text),
    rule('REFERENCE_INVALID', 'A tag or a digest is expected.'),
  )
  .meta({ pattern: TAG_OR_DIGEST, maxLength: 135 });
export const Digest = z
  .string()
  .refine(isDigest, rule('DIGEST_INVALID', 'A digest is expected, as sha256:…'))
  .meta({ pattern: DIGEST, maxLength: 135 });
export const Platform = z
  .string()
  .refine(
    (text) => PLATFORM_NAME.test(text),
    rule('PLATFORM_INVALID', 'os/architecture[/variant] is expected, as linux/arm64.'),
  )
  .meta({ pattern: PLATFORM_NAME.source });
export const HostText = z
  .string()
  .refine(
    isHost,
    rule('HOST_INVALID', 'A host name or address, with an optional :port, is expected.'),
  )
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

/** Forms send `null` or an empty text for an absent value. */
export function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === null || value === '' ? undefined : value),
    schema.optional(),
  );
}
