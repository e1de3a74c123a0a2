/** Policies: which findings block an image of a folder, or for a saved registry. */
import {
  DEFAULT_POLICY_NAME,
  FEED_KINDS,
  isRepositoryPattern,
  MOST_AUTHORITIES,
  MOST_DATABASE_AGE_DAYS,
  MOST_FINDING_AGE_DAYS,
  MOST_GRACE_DAYS,
  MOST_MIN_AGE_HOURS,
  MOST_PATTERN_CHARACTERS,
  MOST_PREDICATE_CHARACTERS,
  MOST_REQUIREMENTS,
  MOST_RULES,
  REFUSAL_CODES,
  SEVERITIES,
  UNLESS_FIXES,
} from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import { rule, violation } from '../field-faults.ts';
import type { Contract } from '../operation.ts';
import { isOneLine, NONBLANK_LINE } from '../patterns.ts';

const BlockOrAllow = z.enum(['block', 'allow']);

/** A finding matches a rule when all its terms match. A term whose value is unknown matches. */
export const PolicyRule = z.strictObject({
  severities: z.array(z.enum(SEVERITIES)),
  /** `only`: findings with a fixed version. */
  fixable: z.enum(['any', 'only']),
  /** `only`: vulnerabilities of the KEV catalog. */
  kev: z.enum(['any', 'only']),
  /** Lower bound of the EPSS probability; null for any. */
  min_epss: z.number().nullable(),
  /** Days since the vulnerability was published; null for any. */
  min_age_days: z.number().int().nullable(),
  package_types: z.enum(['all', 'os', 'library']),
  /** Matches of `warn` are shown and allow the image. */
  action: z.enum(['block', 'warn']),
});
export type PolicyRule = z.infer<typeof PolicyRule>;

/** Which signatures images of some repositories need: exactly one of the lists is there. */
export const SignatureRequirement = z.strictObject({
  /** A pattern of whole repository names: `team/*`, `**`. */
  images: z.string(),
  /** Names of authorities, one of which has to sign. */
  any_of: z.array(z.string()).nullable(),
  /** Names of authorities, each of which has to sign. */
  all_of: z.array(z.string()).nullable(),
  /** The type of the predicate of an attestation that is asked for; null: a signature. */
  attestation: z.string().nullable(),
});
export type SignatureRequirement = z.infer<typeof SignatureRequirement>;

const TERMS = {
  rules: z.array(PolicyRule),
  /** Images that the scanner could not cover completely. */
  unscannable: BlockOrAllow,
  /** Images whose scan failed. */
  on_error: BlockOrAllow,
  /** Manifests that are no container images, such as charts and SBOMs. */
  artifacts: BlockOrAllow,
  /** Whether third-party packages without advisories make the coverage of an image partial. */
  third_party: z.enum(['partial', 'accept']),
  /** A verdict by an older vulnerability database allows nothing; null for no limit. */
  max_database_age_days: z.number().int().nullable(),
  /** Days for which an image that passed before is served after it is blocked. */
  grace_days: z.number().int(),
  /** Hours since this installation first saw an image, before it passes; 0 for none. */
  min_age_hours: z.number().int(),
  /**
   * What an image has to fix of the one before under its tag, to pass without that wait: a
   * vulnerability that is known to be exploited, or all that blocks the one before.
   */
  unless_fixes: z.enum(UNLESS_FIXES),
  signatures: z.array(SignatureRequirement),
};

export const PolicyTerms = z.strictObject(TERMS);
export type PolicyTerms = z.infer<typeof PolicyTerms>;

export const Policy = z.strictObject({
  /** Null for the default policy; `policy_id` of folders and registries is null there, too. */
  id: Uuid.nullable(),
  name: z.string(),
  /** Null for the default policy. */
  version: z.number().int().nullable(),
  ...TERMS,
  /** `scan_settings`: the default policy, which is edited with `PUT /trivy/override`. */
  source: z.enum(['stored', 'scan_settings']),
  /** Folders that the caller may pull from, and saved registries that it may use. */
  used_by: z.strictObject({
    folders: z.array(z.string()),
    registries: z.array(z.strictObject({ id: Uuid, name: z.string() })),
  }),
  created_at: Time.nullable(),
  updated_at: Time.nullable(),
});
export type Policy = z.infer<typeof Policy>;

export const PolicyVersion = z.strictObject({
  version: z.number().int(),
  ...TERMS,
  saved_by: z.string(),
  saved_at: Time,
});
export type PolicyVersion = z.infer<typeof PolicyVersion>;

/** Newest first, at most 200; none for the default policy. */
export const PolicyDetail = Policy.extend({ versions: z.array(PolicyVersion) });
export type PolicyDetail = z.infer<typeof PolicyDetail>;

// ---- what an administrator sends

const Name = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .refine(isOneLine, rule('NOT_ONE_LINE', 'One line of text is expected.'))
  .superRefine((name, context) => {
    if (name.toLowerCase() !== DEFAULT_POLICY_NAME) return;
    context.addIssue(violation('POLICY_NAME_RESERVED', 'This is the name of the default policy.'));
  })
  .meta({
    pattern: NONBLANK_LINE,
    not: { pattern: '^\\s*[dD][eE][fF][aA][uU][lL][tT]\\s*$' },
    description: '`default` is reserved.',
  });

const NewRule = z.strictObject({
  severities: z
    .array(z.enum(SEVERITIES))
    .min(1)
    .max(SEVERITIES.length)
    .refine(
      (words) => new Set(words).size === words.length,
      rule('SEVERITIES_REPEATED', 'Each severity may be listed once.'),
    )
    .meta({ uniqueItems: true }),
  fixable: PolicyRule.shape.fixable.default('any'),
  kev: PolicyRule.shape.kev.default('any'),
  min_epss: z.number().min(0).max(1).nullable().default(null),
  min_age_days: z.number().int().min(0).max(MOST_FINDING_AGE_DAYS).nullable().default(null),
  package_types: PolicyRule.shape.package_types.default('all'),
  action: PolicyRule.shape.action.default('block'),
});

const Authorities = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(MOST_AUTHORITIES)
  .nullable()
  .default(null);

const NewRequirement = z
  .strictObject({
    images: z
      .string()
      .refine(
        isRepositoryPattern,
        rule(
          'REPOSITORY_PATTERN_INVALID',
          'A repository is expected, in which * stands for a part of a segment and ** for any part.',
        ),
      )
      .meta({ maxLength: MOST_PATTERN_CHARACTERS }),
    any_of: Authorities,
    all_of: Authorities,
    attestation: z
      .string()
      .min(1)
      .max(MOST_PREDICATE_CHARACTERS)
      .refine(isOneLine, rule('NOT_ONE_LINE', 'One line of text is expected.'))
      .nullable()
      .default(null)
      .describe('Such as `https://slsa.dev/provenance/v1`; null asks for a signature.'),
  })
  .superRefine(({ any_of, all_of }, context) => {
    if ((any_of === null) !== (all_of === null)) return;
    const at = { path: ['any_of'] };
    context.addIssue(
      any_of === null
        ? violation('REQUIRED', 'The authorities that have to sign are expected.', at)
        : violation('AUTHORITIES_EXCLUSIVE', 'Either any_of or all_of is expected, not both.', at),
    );
  });

const SENT = {
  rules: z.array(NewRule).max(MOST_RULES),
  unscannable: BlockOrAllow,
  on_error: BlockOrAllow,
  artifacts: BlockOrAllow,
  third_party: TERMS.third_party,
  max_database_age_days: z.number().int().min(1).max(MOST_DATABASE_AGE_DAYS).nullable(),
  grace_days: z.number().int().min(0).max(MOST_GRACE_DAYS),
  min_age_hours: z.number().int().min(0).max(MOST_MIN_AGE_HOURS),
  unless_fixes: TERMS.unless_fixes,
  signatures: z.array(NewRequirement).max(MOST_REQUIREMENTS),
};

const NEW = {
  ...SENT,
  unscannable: SENT.unscannable.default('block'),
  on_error: SENT.on_error.default('block'),
  artifacts: SENT.artifacts.default('allow'),
  third_party: SENT.third_party.default('partial'),
  max_database_age_days: SENT.max_database_age_days.default(null),
  grace_days: SENT.grace_days.default(7),
  min_age_hours: SENT.min_age_hours.default(0),
  unless_fixes: SENT.unless_fixes.default('none'),
  signatures: SENT.signatures.default([]),
};

const EXAMPLE = {
  rules: [
    { severities: ['CRITICAL' as const, 'HIGH' as const], fixable: 'only' as const },
    { severities: [...SEVERITIES], kev: 'only' as const },
  ],
  grace_days: 0,
};

export const NewPolicy = z
  .strictObject({ name: Name, ...NEW })
  .meta({ examples: [{ name: 'production', ...EXAMPLE }] });
export type NewPolicy = z.infer<typeof NewPolicy>;

/** An absent field keeps its value. */
export const PolicyChange = z.strictObject({
  version: z
    .number()
    .int()
    .min(1)
    .describe('The version that the change was made from. 409 where it is not the current one.'),
  name: Name.optional(),
  ...z.strictObject(SENT).partial().shape,
});
export type PolicyChange = z.infer<typeof PolicyChange>;

export const PolicyDraft = z
  .strictObject({
    policy_id: Uuid.nullable()
      .optional()
      .describe(
        'With `draft`: the policy that would be changed, so that its folders are judged. Without: the policy that `folder` would get. Null is the default policy.',
      ),
    folder: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Only images of this folder. Absent: those of `policy_id`, or of all folders.'),
    draft: z.strictObject(NEW).optional().describe('The terms that would apply.'),
  })
  .superRefine(({ policy_id, folder, draft }, context) => {
    if (draft !== undefined || (policy_id !== undefined && folder !== undefined)) return;
    const message = 'A draft is expected, or a policy and a folder that would get it.';
    context.addIssue(violation('REQUIRED', message, { path: ['draft'] }));
  })
  .meta({ examples: [{ folder: 'team', draft: EXAMPLE }] });
export type PolicyDraft = z.infer<typeof PolicyDraft>;

const Finding = z.strictObject({
  vulnerability: z.string(),
  severity: z.enum(SEVERITIES),
  package: z.string(),
  installed_version: z.string(),
  fixed_version: z.string().nullable(),
});

/** A tagged image of the built-in registry that would pass no more, or again. */
const PreviewedImage = z.strictObject({
  change: z.enum(['blocked', 'allowed']),
  folder: z.string(),
  repository: z.string(),
  digest: z.string(),
  /** The first 20 by name. */
  tags: z.array(z.string()),
  /** Why it is or would be blocked. */
  code: z.enum(REFUSAL_CODES),
  /** The first three vulnerabilities that block, each once. */
  findings: z.array(Finding),
  findings_total: z.number().int(),
});

export const PolicyPreview = z.strictObject({
  /** Tagged images of the built-in registry in the folders concerned: digests in repositories. */
  images: z.number().int(),
  /** How many of them were judged: all, unless there are too many to judge in a few seconds. */
  judged: z.number().int(),
  complete: z.boolean(),
  /** Of those judged, images without a report, whose verdict is unknown. */
  unscanned: z.number().int(),
  newly_blocked: z.number().int(),
  newly_allowed: z.number().int(),
  /** Folders with a change, by name. */
  folders: z.array(
    z.strictObject({
      folder: z.string(),
      newly_blocked: z.number().int(),
      newly_allowed: z.number().int(),
    }),
  ),
  /** The first ten of each change. */
  items: z.array(PreviewedImage),
  /** Feeds that a rule names and that are missing or too old: their terms match everything. */
  missing_feeds: z.array(z.enum(FEED_KINDS)),
});
export type PolicyPreview = z.infer<typeof PolicyPreview>;

const Params = z.strictObject({
  policy_id: z
    .union([Uuid, z.literal(DEFAULT_POLICY_NAME)])
    .describe('`default`: the default policy, which is only read.'),
});
const UNKNOWN = { status: 404, codes: ['POLICY_UNKNOWN'] };
const PROTECTED = { status: 403, codes: ['POLICY_PROTECTED'] };

export const policies = {
  listPolicies: {
    method: 'get',
    path: '/policies',
    summary:
      'The default policy, then the others by name: those of folders that the caller may pull from and of registries it may use; for administrators all',
    access: 'user',
    token: ['pull'],
    success: { status: 200, body: z.array(Policy) },
  },
  createPolicy: {
    method: 'post',
    path: '/policies',
    summary: 'Create a policy; it applies where a folder or a saved registry names it',
    access: 'admin',
    audit: 'policy.create',
    body: NewPolicy,
    success: { status: 201, body: Policy },
    faults: [{ status: 409, codes: ['POLICY_NAME_TAKEN', 'POLICIES_MANY'] }],
  },
  previewPolicy: {
    method: 'post',
    path: '/policies/preview',
    summary:
      'Which tagged images a draft, or another policy for a folder, would block or allow; nothing is saved',
    access: 'admin',
    costly: true,
    audit: 'policy.preview',
    body: PolicyDraft,
    success: { status: 200, body: PolicyPreview },
    faults: [{ status: 422, codes: ['FOLDER_UNKNOWN', 'POLICY_UNKNOWN'] }],
  },
  getPolicy: {
    method: 'get',
    path: '/policies/{policy_id}',
    summary: 'One policy with its versions',
    access: 'user',
    token: ['pull'],
    params: Params,
    success: { status: 200, body: PolicyDetail },
    faults: [UNKNOWN],
  },
  updatePolicy: {
    method: 'patch',
    path: '/policies/{policy_id}',
    summary: 'Change a policy; changed terms become its next version and apply at once',
    access: 'admin',
    audit: 'policy.update',
    params: Params,
    body: PolicyChange,
    success: { status: 200, body: Policy },
    faults: [PROTECTED, UNKNOWN, { status: 409, codes: ['POLICY_CHANGED', 'POLICY_NAME_TAKEN'] }],
  },
  removePolicy: {
    method: 'delete',
    path: '/policies/{policy_id}',
    summary: 'Delete a policy that no folder and no saved registry uses',
    access: 'admin',
    audit: 'policy.delete',
    params: Params,
    success: { status: 204 },
    faults: [PROTECTED, UNKNOWN, { status: 409, codes: ['POLICY_IN_USE'] }],
  },
} as const satisfies Contract;
