/** Bodies and queries of the transfer routes. */
import { SCHEDULE_ORDERS, TRANSFER_SORTS, TRANSFER_STATUSES } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, WAIT } from './common.ts';
import { rule } from './field-faults.ts';
import { optional, Platform, Repository, Tag, TagOrDigest } from './grammar.ts';
import { RegistryId } from './operations/registries.ts';
import { CRON, NONBLANK, TIMEZONE } from './patterns.ts';
import {
  BYPASS,
  INCLUDE_REFERRERS,
  JOB_CONDITIONS,
  ReferrerChoice,
  ReportQuery,
  SeverityList,
  Words,
} from './staging-input.ts';

const Pattern = z.string().min(1).max(255);

/**
 * `glob` matches the whole tag with `*`, `?`, `[a-z]`, `[!a-z]` and `{a,b}`. `regex` is RE2 and
 * matches anywhere unless anchored. `semver` selects full versions, with or without a leading v, in
 * a range of npm's grammar; pre-releases only on request.
 */
export const TagMatch = z.union([
  z.strictObject({ glob: Pattern }),
  z.strictObject({ regex: Pattern }),
  z.strictObject({ semver: Pattern, prerelease: z.boolean().default(false) }),
]);

/** `newest` sorts by version, then tags without a version in natural order; never by time. */
export const TagSelection = z.strictObject({
  match: TagMatch,
  newest: optional(z.number().int().min(1).max(1000)),
});

export const TransferImage = z
  .strictObject({
    repository: Repository,
    /** A tag or digest; the default is `latest` if `tags` is absent too. */
    tag: optional(TagOrDigest),
    tags: optional(TagSelection),
    /**
     * The destination repository, before the folder or the account's namespace is added; the
     * default is the source's name.
     */
    dest_name: optional(Repository),
  })
  .refine(
    ({ tag, tags }) => tag === undefined || tags === undefined,
    rule('TAGS_EXCLUSIVE', 'Give either tag or tags.', ['tags']),
  );
export type TransferImage = z.infer<typeof TransferImage>;

/** Source and destination as for staging: the defaults are Docker Hub and the built-in registry. */
const TRANSFER = {
  images: z.array(TransferImage).min(1).max(1000),
  source_registry_id: optional(RegistryId),
  dest_registry_id: optional(RegistryId),
  dest_folder: optional(z.string().max(128)),
  dest_tag: optional(Tag),
  platforms: optional(z.union([z.literal('all'), z.array(Platform).min(1).max(50)])),
  vuln_scan_enabled_override: optional(z.boolean()),
  vuln_severities_override: z.preprocess((value) => value ?? undefined, SeverityList.optional()),
  include_referrers: INCLUDE_REFERRERS,
  ...BYPASS,
};
export const TransferRequest = z.strictObject(TRANSFER).meta({
  examples: [
    {
      images: [{ repository: 'library/nginx', tags: { match: { semver: '>=1.28' }, newest: 3 } }],
      dest_registry_id: '__local__',
      dest_folder: 'team',
    },
  ],
});
export type TransferRequest = z.infer<typeof TransferRequest>;

const TIMES = {
  name: z.string().trim().min(1).max(128).meta({ pattern: NONBLANK }),
  /** Five fields, or six with seconds first. */
  cron: z.string().trim().min(1).max(100).meta({ pattern: CRON }),
  /** An IANA name, such as `Europe/Berlin`. */
  timezone: z.string().min(1).max(64).meta({ pattern: TIMEZONE }),
};
export const NewSchedule = z.strictObject({
  ...TRANSFER,
  ...TIMES,
  timezone: TIMES.timezone.default('UTC'),
  enabled: z.boolean().default(true),
});
export type NewSchedule = z.infer<typeof NewSchedule>;

/** Absent fields are kept; null removes an optional field. */
export const SchedulePatch = z.strictObject({
  ...TRANSFER,
  images: TRANSFER.images.optional(),
  include_referrers: ReferrerChoice.optional(),
  bypass_gate: z.boolean().optional(),
  name: TIMES.name.optional(),
  cron: TIMES.cron.optional(),
  timezone: TIMES.timezone.optional(),
  enabled: z.boolean().optional(),
});
export type SchedulePatch = z.infer<typeof SchedulePatch>;

/** The times of a schedule that is not saved yet. */
export const TimesQuery = z.strictObject({
  cron: TIMES.cron,
  timezone: TIMES.timezone.default('UTC'),
});

export const TransfersQuery = z.strictObject({
  ...PAGING,
  status: Words(TRANSFER_STATUSES),
  /** `true`: something failed, and only because the gate stopped it; `false`: all others. */
  blocked: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  /** A part of the name of a repository, tag or registry at either end, or of the schedule. */
  q: z.string().max(255).optional(),
  owner: JOB_CONDITIONS.owner,
  since: JOB_CONDITIONS.since,
  until: JOB_CONDITIONS.until,
  /** A minus sign means descending. Equal transfers are newest first. */
  sort: z.enum(TRANSFER_SORTS).default('-created_at'),
});
export type TransfersQuery = z.infer<typeof TransfersQuery>;
export const SchedulesQuery = z.strictObject({
  ...PAGING,
  /** A part of the name. */
  q: z.string().max(255).optional(),
  /** A minus sign means descending. Equal schedules are newest first. */
  sort: z.enum(SCHEDULE_ORDERS).default('-created_at'),
});

export const TransferQuery = z.strictObject({ ...PAGING, ...WAIT });

export const TransferReportQuery = ReportQuery.pick({ format: true });
