/** The mirror of a folder: its upstream, and what of it may be brought in. */
import { isRepository } from '@portcullis/oci';
import { z } from 'zod';
import { Uuid } from '../common.ts';
import { rule } from '../field-faults.ts';
import { Platform } from '../grammar.ts';
import { REPOSITORY } from '../patterns.ts';

const MOST_GLOBS = 50;
const MOST_PLATFORMS = 20;
const WEEK_MINUTES = 7 * 24 * 60;

const Prefix = z
  .string()
  .refine(
    (text) => text === '' || isRepository(text),
    rule(
      'REPOSITORY_INVALID',
      'A lower-case path without host, tag or digest, or none, is expected.',
    ),
  )
  .meta({ pattern: `^$|${REPOSITORY}`, maxLength: 255 });

const TERMS = {
  /** A saved registry of all accounts, whose login is used; null: Docker Hub without a login. */
  registry_id: Uuid.nullable(),
  /** What is put before a path at the upstream: `org` makes `app` to `org/app`. */
  prefix: Prefix,
  /**
   * Globs of the repositories that may be brought in, as tag patterns of transfers, as they are
   * below the folder. What is here already is served all the same.
   */
  allow: z.array(z.string().min(1).max(255)).min(1).max(MOST_GLOBS),
  /**
   * Which platforms of a tag are brought in; empty: all, and the index is served as its publisher
   * made it. With platforms it is reduced to them, and has another digest.
   */
  platforms: z.array(Platform).max(MOST_PLATFORMS),
  /** How many minutes an answer of the upstream about a tag counts. */
  check_minutes: z.number().int().min(1).max(WEEK_MINUTES),
  /** How many days a tag stays that no account pulls. */
  keep_days: z.number().int().min(1).max(36_500),
};

export const FolderMirror = z.strictObject(TERMS);
export type FolderMirror = z.infer<typeof FolderMirror>;

export const NewFolderMirror = z.strictObject({
  registry_id: TERMS.registry_id,
  prefix: TERMS.prefix.default(''),
  allow: TERMS.allow.default(['*']),
  platforms: TERMS.platforms.default([]),
  check_minutes: TERMS.check_minutes.default(60),
  keep_days: TERMS.keep_days.default(90),
});
