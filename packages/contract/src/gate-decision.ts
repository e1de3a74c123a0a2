/** The decision of a door of the gate: in replies, audit events and the command line alike. */
import {
  ANSWER_STATES,
  FEED_KINDS,
  GATE_CODES,
  GATE_DOORS,
  PULL_GATE_MODES,
  RATED_VERDICTS,
  REFUSAL_CODES,
  SEVERITIES,
  SIGNATURE_CODES,
  TIME_SOURCES,
  UNCOUNTED_REASONS,
  WAIVER_MISSES,
} from '@portcullis/domain';
import { z } from 'zod';
import { Time } from './common.ts';
import { PolicyRule, SignatureRequirement } from './operations/policies.ts';
import { SeverityCounts } from './severity-counts.ts';

const Outcome = {
  outcome: z.enum(['served', 'held', 'refused']),
  /** Why it is served; null where it is not. */
  because: z.enum(['passes', 'mode', 'grace', 'bypass']).nullable(),
  /** What is held against it: by the policy, or by the account's rights. */
  code: z.enum([...REFUSAL_CODES, 'PENDING', 'FOLDER_FORBIDDEN', 'MIRROR_READ_ONLY']).nullable(),
  /** The end of the grace period. */
  until: Time.nullable(),
};

const MatchedRule = PolicyRule.extend({ position: z.number().int() });

/** A vulnerability, with the first of its packages: one without a fix where there is one. */
const ExplainedFinding = {
  vulnerability: z.string(),
  severity: z.enum(SEVERITIES),
  package: z.string(),
  installed_version: z.string(),
  fixed_version: z.string().nullable(),
  /** The first five of the other packages with the same vulnerability. */
  other_packages: z.array(z.string()),
  other_packages_total: z.number().int(),
  /** The `position` of the policy's rule that matches. */
  rule: z.number().int(),
};

/** What an authority says of the signatures of an image. Lists have the first few. */
const AuthorityAnswer = z.strictObject({
  authority: z.string(),
  /** `not_verified`: it was not asked yet. `removed`: there is no such authority any more. */
  state: z.enum(ANSWER_STATES),
  signed: z.array(
    z.strictObject({
      signature: z.string(),
      signer: z.string(),
      /** When it was signed at the latest; null where its time needs no witness. */
      at: Time.nullable(),
      time_source: z.enum(TIME_SOURCES).nullable(),
      /** Until then it counts without being verified again; null: as long as its authority is. */
      until: Time.nullable(),
      by: z.string().nullable(),
      log: z.string().nullable(),
    }),
  ),
  uncounted: z.array(
    z.strictObject({
      signature: z.string(),
      code: z.enum(UNCOUNTED_REASONS),
      params: z.record(z.string(), z.string()),
    }),
  ),
  uncounted_total: z.number().int(),
});

const JudgedRequirement = SignatureRequirement.extend({
  /** Its position in the policy. */
  requirement: z.number().int(),
  /** Null where it is met. */
  code: z.enum(SIGNATURE_CODES).nullable(),
  answers: z.array(AuthorityAnswer),
});

const Standing = {
  policy: z.strictObject({
    /** Null for the default policy, whose version is a hash of the scan settings. */
    id: z.string().nullable(),
    name: z.string(),
    version: z.string(),
    grace_days: z.number().int(),
    min_age_hours: z.number().int(),
    /** Those that the listed findings match. */
    rules: z.array(MatchedRule),
  }),
  verdict: z.enum(RATED_VERDICTS).nullable(),
  blocking: z.array(
    z.strictObject({
      ...ExplainedFinding,
      waivers: z.array(z.strictObject({ waiver: z.string(), miss: z.enum(WAIVER_MISSES) })),
    }),
  ),
  /** The totals count vulnerabilities, each once, whatever number of packages has it. */
  blocking_total: z.number().int(),
  waived: z.array(z.strictObject({ ...ExplainedFinding, waiver: z.string(), until: Time })),
  waived_total: z.number().int(),
  warned_total: z.number().int(),
  missing_feeds: z.array(z.enum(FEED_KINDS)),
  /** Until when its age alone keeps the image from passing; null: it is old enough. */
  waits_until: Time.nullable(),
  /** The waiver of its age without which it would wait. */
  age_waiver: z.strictObject({ waiver: z.string(), until: Time }).nullable(),
  /** What the policy asks of the signatures of the image, and who signed. */
  signatures: z.array(JudgedRequirement),
  /** Signatures that were not read, because there are too many. */
  unread_signatures: z.number().int(),
  /** Whether a registry refused to say if there are more signatures. */
  hidden_signatures: z.boolean(),
  /** The waiver without which its signatures would keep the image from passing. */
  signature_waiver: z.strictObject({ waiver: z.string(), until: Time }).nullable(),
};

/** A decision of the gate with every step, also in audit events. Lists are bounded. */
export const GateDecision = z.strictObject({
  ...Outcome,
  /** `copy_from` is also how jobs read; `push` is over `/v2`, which refuses nothing. */
  door: z.enum(GATE_DOORS),
  /** That of the folder for this door. */
  mode: z.enum(PULL_GATE_MODES),
  /** Whether the account may bypass the gate. */
  bypasses: z.boolean(),
  /** What the reference resolves to. */
  requested_digest: z.string(),
  /** What the decision is about: for an index one of its images, for a referrer its subject. */
  digest: z.string(),
  folder: z.string(),
  repository: z.string(),
  kind: z.enum(['image', 'artifact']),
  report: z
    .strictObject({
      scanner: z.string(),
      scanner_version: z.string(),
      scanned_at: Time,
      /** As the scanner wrote it. */
      database_at: z.string().nullable(),
    })
    .nullable(),
  last_scan_failed: z.boolean(),
  ...Standing,
  /** Since when it passed in this folder, before it was blocked. */
  passed_at: Time.nullable(),
  blocked_at: Time.nullable(),
  platforms: z.array(
    z.strictObject({ platform: z.string().nullable(), digest: z.string(), ...Outcome }),
  ),
});
export type GateDecision = z.infer<typeof GateDecision>;

/** A decision as people ask for it, with what they can't see in it. */
export const ExplainedImage = GateDecision.extend({
  /** Why the signatures that the policy asks for could not be read the last time. */
  signatures_fault: z
    .strictObject({
      code: z.string(),
      /** Null for what another registry answered, which may say more than the caller may read. */
      message: z.string().nullable(),
      next_try_at: Time.nullable(),
    })
    .nullable(),
});
export type ExplainedImage = z.infer<typeof ExplainedImage>;

/** A decision of the gate about a push of a staging job, with every step. Lists are bounded. */
export const PushGateDecision = z.strictObject({
  outcome: z.enum(['allowed', 'refused']),
  /** Why it is allowed; null where it is not. */
  because: z.enum(['passes', 'bypass']).nullable(),
  /** What refuses it to accounts without `can_bypass_vuln_block`; null where nothing does. */
  code: z.enum(GATE_CODES).nullable(),
  digest: z.string().nullable(),
  /** The built-in registry or a saved one; null for another host. */
  registry: z.string().nullable(),
  folder: z.string().nullable(),
  repository: z.string(),
  /** Null where the job has no report. */
  report: z
    .strictObject({
      scanner: z.string(),
      scanner_version: z.string(),
      /** As the scanner wrote it. */
      database_at: z.string().nullable(),
    })
    .nullable(),
  last_scan_failed: z.boolean(),
  ...Standing,
  /** When the same report, policy and waivers may first have another standing; null: never. */
  valid_until: Time.nullable(),
  /** When the first of the waivers ends by which it passes; null: it passes by none. */
  waived_until: Time.nullable(),
});
export type PushGateDecision = z.infer<typeof PushGateDecision>;

/**
 * What the gate would decide about an image of a plan: the policy of its destination judges the
 * stored report, as in the preview of a push. Lists are short: a plan may have a thousand images.
 */
export const PlannedDecision = z.strictObject({
  ...PushGateDecision.pick({
    outcome: true,
    because: true,
    code: true,
    policy: true,
    verdict: true,
    blocking: true,
    blocking_total: true,
    waived_total: true,
    valid_until: true,
    waits_until: true,
  }).shape,
  /** The vulnerabilities that block, by severity. */
  counts: SeverityCounts,
  /** When the report was made; null where the decision needs none. */
  scanned_at: Time.nullable(),
});
export type PlannedDecision = z.infer<typeof PlannedDecision>;
