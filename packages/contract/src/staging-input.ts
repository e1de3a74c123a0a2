/** Bodies and queries of the staging routes. */
import { JOB_ORDERS, JOB_STATUSES, SEVERITIES, VERDICTS } from '@portcullis/domain';
import { z } from 'zod';
import { Moment, PAGING, TAG_PAGING, Uuid } from './common.ts';
import { violation } from './field-faults.ts';
import {
  HostText,
  optional,
  Password,
  Platform,
  Repository,
  Tag,
  TagOrDigest,
  Username,
} from './grammar.ts';
import { NONBLANK } from './patterns.ts';

const SeverityWord = z.preprocess(
  (word) => (typeof word === 'string' ? word.trim().toUpperCase() : word),
  z.enum(SEVERITIES),
);

/** An array, or a string with commas. */
export const SeverityList = z.preprocess(
  (value) =>
    typeof value === 'string' ? value.split(',').filter((word) => word.trim() !== '') : value,
  z.array(SeverityWord).max(50),
);

/**
 * Signatures, SBOMs and attestations. `true`: one that can't be copied is left behind and named;
 * `required`: the job fails.
 */
export const ReferrerChoice = z.union([z.boolean(), z.literal('required')]);
export const INCLUDE_REFERRERS = z.preprocess(
  (value) => value ?? undefined,
  ReferrerChoice.default(true),
);

const HOST_SOURCE = {
  image: Repository,
  source_registry_host: optional(HostText),
  source_registry_username: optional(Username),
  source_registry_password: optional(Password),
  source_registry_use_tls: optional(z.boolean()),
  source_registry_tls_verify: optional(z.boolean()),
};

/** A folder of the built-in registry, or a saved registry. */
export const SAVED_DESTINATION = {
  target_image: Repository,
  target_tag: Tag,
  folder: optional(z.string().max(128)),
  external_registry_id: optional(z.union([Uuid, z.literal('__local__')])),
};
/** As the fields of a push; the image keeps its own name and tag unless others are given. */
const PullDestination = z.strictObject({
  ...SAVED_DESTINATION,
  target_image: optional(Repository),
  target_tag: optional(Tag),
});

export const PullRequest = z
  .strictObject({
    ...HOST_SOURCE,
    tag: TagOrDigest,
    source_registry_id: optional(z.union([Uuid, z.literal('__local__')])),
    platforms: optional(z.union([z.literal('all'), z.array(Platform).min(1).max(50)])),
    include_referrers: INCLUDE_REFERRERS,
    /** Where it is to be pushed once it is scanned: the policy there judges the job. */
    destination: optional(PullDestination),
    vuln_scan_enabled_override: optional(z.boolean()),
    vuln_severities_override: z.preprocess((value) => value ?? undefined, SeverityList.optional()),
  })
  .superRefine((body, context) => {
    requirePair(
      context,
      'source_registry',
      body.source_registry_username,
      body.source_registry_password,
    );
  })
  .meta({
    examples: [{ image: 'library/nginx', tag: '1.29', platforms: ['linux/amd64', 'linux/arm64'] }],
  });
export type PullRequest = z.infer<typeof PullRequest>;

/** A body, because a URL must not hold a password. */
export const SourceTagsRequest = z
  .strictObject({ ...HOST_SOURCE, source_registry_host: HostText })
  .superRefine((body, context) => {
    requirePair(
      context,
      'source_registry',
      body.source_registry_username,
      body.source_registry_password,
    );
  });
export type SourceTagsRequest = z.infer<typeof SourceTagsRequest>;

const DESTINATION = { ...SAVED_DESTINATION, external_registry_host: optional(HostText) };

/** For accounts that may push blocked images; for others, the gate decides in any case. */
export const BYPASS = {
  /** `false`: the gate stops this push, too. */
  bypass_gate: z.preprocess((value) => value ?? undefined, z.boolean().default(true)),
  /** Kept with the push and in the audit log. */
  bypass_reason: optional(z.string().trim().min(1).max(1000).meta({ pattern: NONBLANK })),
};

export const PushRequest = z
  .strictObject({
    job_id: Uuid,
    ...DESTINATION,
    ...BYPASS,
    external_registry_username: optional(Username),
    external_registry_password: optional(Password),
  })
  .superRefine((body, context) => {
    requirePair(
      context,
      'external_registry',
      body.external_registry_username,
      body.external_registry_password,
    );
  })
  .meta({
    examples: [
      {
        job_id: '0199d1f0-0000-7000-8000-000000000000',
        target_image: 'nginx',
        target_tag: '1.29',
        folder: 'team',
      },
    ],
  });
export type PushRequest = z.infer<typeof PushRequest>;

/** The preview is a GET, whose URL must not hold a password: the username is enough. */
export const PushPreviewQuery = z.strictObject({
  job_id: Uuid,
  ...DESTINATION,
  external_registry_username: optional(Username),
});

function requirePair(
  context: z.RefinementCtx,
  prefix: string,
  username: string | undefined,
  password: string | undefined,
): void {
  if ((username === undefined) === (password === undefined)) return;
  const missing = username === undefined ? 'username' : 'password';
  context.addIssue(
    violation('CREDENTIALS_INCOMPLETE', 'A username and a password belong together.', {
      path: [`${prefix}_${missing}`],
    }),
  );
}

export const Words = <const W extends readonly [string, ...string[]]>(words: W) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z.array(z.enum(words)).max(words.length),
    )
    .optional();

/** Which jobs; all of it must hold. */
export const JOB_CONDITIONS = {
  status: Words(JOB_STATUSES),
  verdict: Words(VERDICTS),
  /** Words; each is in the image, the tag, the digest or the name of a registry at either end. */
  q: z.string().max(255).optional(),
  /** A username. */
  owner: z.string().max(255).optional(),
  /** Requested at this time or later. */
  since: Moment.optional(),
  /** Requested before this time. */
  until: Moment.optional(),
};

export const JobsQuery = z.strictObject({
  ...PAGING,
  ...JOB_CONDITIONS,
  /** `true`: jobs that the gate stopped; `false`: all others. */
  blocked: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  /**
   * A minus sign means descending, and `verdict` the most urgent first: `blocked`, `findings`,
   * `unscannable`, `error`, `skipped`, `pending`, `clean`. Equal jobs are newest first.
   */
  sort: z.enum(JOB_ORDERS).default('-created_at'),
});

export const HubSearchQuery = z.strictObject({
  q: z.string().trim().min(1).max(255).meta({ pattern: NONBLANK }),
  page: z.coerce.number().int().min(1).max(100).default(1),
});

export const SourceTagsQuery = z.strictObject(TAG_PAGING);

export const HubTagsQuery = z.strictObject({ image: Repository });

export const REPORT_FORMATS = ['json', 'sarif', 'cyclonedx', 'spdx', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
export const ReportQuery = z.strictObject({
  format: z.enum(REPORT_FORMATS).default('json'),
  platform: Platform.optional().meta({
    description:
      'For an index: one platform instead of all. JUnit has one test case for the image.',
  }),
});
