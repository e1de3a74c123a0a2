/** The standing of an image for one destination, in the same form everywhere. */
import { STANDING_CAVEATS, STANDING_STATES, STANDING_WAITS } from '@portcullis/domain';
import { z } from 'zod';
import { Time } from '../common.ts';
import { SeverityCounts } from '../severity-counts.ts';

export const StandingView = z.strictObject({
  /**
   * `allowed`: only because of waivers, until `until`. `bypassed`: it was blocked, and an account
   * with `can_bypass_vuln_block` pushed it. `waits`: no scan says more yet.
   */
  state: z.enum(STANDING_STATES),
  /** Why the policy refuses it; null where it does not. */
  code: z.string().nullable(),
  /** Vulnerabilities that block it, each once, whatever number of packages has it. */
  blocking_total: z.number().int(),
  /** Of those, how many an update of each of their packages clears. */
  fixable_total: z.number().int(),
  /** The ids of the worst five of them. */
  blocking: z.array(z.string()),
  /** Those that block, by severity. */
  blocking_counts: SeverityCounts,
  /** All that were found, by severity; null without a report. */
  found: SeverityCounts.nullable(),
  /** Vulnerabilities that would block it without a waiver. */
  waived_total: z.number().int(),
  /**
   * When the first waiver ends without which it would be blocked; with the code `TOO_YOUNG`, until
   * when it waits.
   */
  until: Time.nullable(),
  /** Usernames: who approved the waivers, or who bypassed the gate; at most five. */
  by: z.array(z.string()),
  /** What a waiting image waits for. */
  waits_for: z.enum(STANDING_WAITS).nullable(),
  /** Why an image that passes is not known to be harmless. */
  caveat: z.enum(STANDING_CAVEATS).nullable(),
});
export type StandingView = z.infer<typeof StandingView>;

const PolicyName = z.strictObject({ id: z.string().nullable(), name: z.string() });

export const JobStandingView = StandingView.extend({
  policy: PolicyName,
  /** What it is about; null where no destination was chosen: the default policy judges. */
  destination: z
    .strictObject({
      kind: z.enum(['local', 'registry', 'host']),
      registry_id: z.string().nullable(),
      host: z.string(),
      folder: z.string().nullable(),
      repository: z.string(),
      tag: z.string(),
    })
    .nullable(),
});
export type JobStandingView = z.infer<typeof JobStandingView>;

export const ElsewhereView = StandingView.extend({ policy: PolicyName, folder: z.string() });
export type ElsewhereView = z.infer<typeof ElsewhereView>;
