/** The staging job as the API shows it. */
import {
  JOB_STATUSES,
  REVIEW_CHANGES,
  REVIEW_PUSH_STATES,
  REVIEW_STATES,
  SEVERITIES,
  STAGES,
  TIMELINE_KINDS,
  VERDICTS,
} from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from './common.ts';
import { SeverityCounts } from './severity-counts.ts';
import { CoverageGapView } from './staging/coverage-gap.ts';
import { JobDestinationView } from './staging/job-destination.ts';
import { ElsewhereView, JobStandingView } from './staging/standing-view.ts';

export const VulnerabilityView = z.strictObject({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  title: z.string().nullable(),
  cvss_score: z.number().nullable(),
  cvss_vector: z.string().nullable(),
  cvss_source: z.string().nullable(),
  /** Whether it is known to be exploited; null without the KEV feed. */
  kev: z.boolean().nullable(),
  /** The probability of 0 to 1 that it will be exploited; null where EPSS has none. */
  epss: z.number().nullable(),
  primary_url: z.string().nullable(),
  published_at: z.string().nullable(),
  packages: z.array(
    z.strictObject({
      name: z.string(),
      installed_version: z.string(),
      fixed_version: z.string().nullable(),
      /**
       * The severity of the package by the source of its advisories; the severity of the
       * vulnerability is the worst of its packages.
       */
      severity: z.enum(SEVERITIES),
      severity_source: z.string().nullable(),
      status: z.string(),
      target: z.string(),
      path: z.string().nullable(),
      purl: z.string().nullable(),
      layer_digest: z.string().nullable(),
      platform: z.string().nullable(),
    }),
  ),
});
export type VulnerabilityView = z.infer<typeof VulnerabilityView>;

export const VulnResultView = z.strictObject({
  enabled: z.boolean(),
  blocked: z.boolean(),
  severities: z.array(z.enum(SEVERITIES)),
  /**
   * Vulnerabilities that block, each counted once under the worst severity of a package that
   * blocks.
   */
  blocking: SeverityCounts.optional(),
  counts: SeverityCounts,
  fixable: SeverityCounts,
  total: z.number().int(),
  coverage: z.enum(['full', 'partial', 'none']),
  /** Of a manifest that is no container image, which is not scanned; absent for an image. */
  artifact_type: z.string().optional(),
  /** Why the coverage is not full, in English. */
  notes: z.array(z.string()),
  /**
   * The same for programs, one for each note in the same order; absent where the coverage is full.
   */
  gaps: z.array(CoverageGapView).optional(),
  os: z.strictObject({ family: z.string(), name: z.string(), eosl: z.boolean() }).nullable(),
  scanner: z.strictObject({
    name: z.string(),
    version: z.string(),
    db_updated_at: z.string().nullable(),
  }),
  /** Set when a later scan failed: the findings are those of the previous scan. */
  later_scan_failed_at: z.string().optional(),
  /**
   * Digests of the layers of the base image, as far as the history of the image tells; absent where
   * that is unknown, and in lists.
   */
  base_layers: z.array(z.string()).optional(),
  /** Omitted in lists. */
  vulnerabilities: z.array(VulnerabilityView).optional(),
});
export type VulnResultView = z.infer<typeof VulnResultView>;

export const ScanResultView = z.array(
  z.strictObject({
    target: z.string(),
    class: z.string(),
    type: z.string(),
    counts: SeverityCounts,
  }),
);

export const JobErrorView = z.strictObject({
  code: z.string(),
  message: z.string(),
  side: z.enum(['source', 'target']).optional(),
  /** Whether a retry of the job may succeed without another change. */
  retryable: z.boolean(),
});
export type JobErrorView = z.infer<typeof JobErrorView>;

export const ProgressView = z.strictObject({
  phase: z.enum(['pull', 'scan', 'push', 'done']),
  bytes_done: z.number(),
  bytes_total: z.number(),
  blobs_done: z.number(),
  blobs_total: z.number(),
  bytes_reused: z.number(),
  rate: z.number(),
});
export type ProgressView = z.infer<typeof ProgressView>;

export const PushView = z.strictObject({
  id: Uuid,
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  /** `host/repository:tag` as it is written. */
  destination: z.string(),
  /** `__local__`, or a saved registry's id; null for a host that is not saved. */
  registry_id: z.string().nullable(),
  target_image: z.string(),
  target_tag: z.string(),
  digest: z.string().nullable(),
  bytes_done: z.number(),
  bytes_total: z.number(),
  bytes_mounted: z.number(),
  error: JobErrorView.nullable(),
  /** The code that would have refused the push without the privilege of its account. */
  bypassed: z.string().nullable(),
  bypass_reason: z.string().nullable(),
  /** Those that the image passed the gate by, at most 50. */
  waivers: z.array(
    z.strictObject({
      id: Uuid,
      vulnerability: z.string(),
      /** Usernames as they were then. */
      approved_by: z.array(z.string()),
      until: Time,
    }),
  ),
  requested_by: z.string(),
  created_at: Time,
  finished_at: Time.nullable(),
});
export type PushView = z.infer<typeof PushView>;

/** One run of a stage. `waited_ms`: from what came before; `worked_ms`: null while it runs. */
export const StageTimeView = z.strictObject({
  stage: z.enum(STAGES),
  started_at: Time,
  waited_ms: z.number(),
  worked_ms: z.number().nullable(),
});
export type StageTimeView = z.infer<typeof StageTimeView>;

/** `note` is the entry in English; programs use `kind` and the parameters. */
export const TimelineEntryView = z.strictObject({
  at: Time,
  status: z.enum(JOB_STATUSES),
  note: z.string().nullable(),
  kind: z.enum(TIMELINE_KINDS),
  /** For `push_requested`: `host/repository:tag`. */
  destination: z.string().optional(),
  /** For `failed` and `retry_scheduled`. */
  code: z.string().optional(),
  /**
   * For `referrers_left`: a referrer, a tag, or the list of the referrers of the manifest `name`.
   */
  left: z
    .array(
      z.strictObject({
        kind: z.enum(['referrer', 'tag', 'list']),
        name: z.string(),
        code: z.string(),
        message: z.string(),
      }),
    )
    .optional(),
  /** For `referrers_left`: the number of others. */
  more: z.number().int().optional(),
  /** For `retry_scheduled`: the delay before the next attempt. */
  seconds: z.number().optional(),
});
export type TimelineEntryView = z.infer<typeof TimelineEntryView>;

export const Job = z.strictObject({
  job_id: Uuid,
  status: z.enum(JOB_STATUSES),
  image: z.string(),
  tag: z.string(),
  source: z.strictObject({
    kind: z.enum(['dockerhub', 'registry', 'host']),
    registry_id: z.string().optional(),
    host: z.string(),
  }),
  platforms: z.union([z.literal('all'), z.array(z.string())]),
  digest: z.string().nullable(),
  media_type: z.string().nullable(),
  size: z.number().nullable(),
  /**
   * When the image was removed from the disk of the worker to make room; null while it is there, or
   * was not pulled. A push or a scan of the job then reads it from its source again, by digest.
   */
  image_released_at: Time.nullable(),
  progress: ProgressView,
  verdict: z.enum(VERDICTS),
  /** Whether the gate stopped the job: its push was refused, or its verdict blocks. */
  blocked: z.boolean(),
  scan_result: ScanResultView.nullable(),
  vuln_result: VulnResultView.nullable(),
  overrides: z.strictObject({
    vuln_scan_enabled: z.boolean().nullable(),
    vuln_severities: z.array(z.enum(SEVERITIES)).nullable(),
  }),
  owner: z.string(),
  transfer_id: Uuid.nullable(),
  /** Where it is to be pushed, as the pull said. */
  destination: JobDestinationView.nullable(),
  /**
   * For its newest push, or else for its destination. Null where the caller may not push there, or
   * where the job ended before it was judged. Absent in transfers, and in lists for jobs beyond
   * 50,000 findings.
   */
  standing: JobStandingView.nullable().optional(),
  /**
   * The first 20 folders that the caller may push to and where the answer is another one. Only of
   * one job.
   */
  elsewhere: z.array(ElsewhereView).optional(),
  pushes: z.array(PushView),
  error: JobErrorView.nullable(),
  attempts: z.number().int(),
  /**
   * `X-Request-Id` of the request that last set it going, or the id of the run of a schedule: logs
   * and audit events have the same.
   */
  request_id: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
  finished_at: Time.nullable(),
  /**
   * Review requests about this job, the newest first; at most 20. Omitted in lists and in event
   * streams.
   */
  reviews: z
    .array(
      z.strictObject({
        number: z.number().int(),
        state: z.enum(REVIEW_STATES),
        /** Whether the job has another image now than the one that was asked about. */
        changed: z.enum(REVIEW_CHANGES).nullable(),
        /** Null outside the built-in registry. */
        folder: z.string().nullable(),
        registry_id: z.string().nullable(),
        repository: z.string(),
        tag: z.string(),
        until: Time,
        /** Of who decided about it or withdrew it; null where none was written. */
        comment: z.string().nullable(),
        push: z
          .strictObject({ state: z.enum(REVIEW_PUSH_STATES), code: z.string().nullable() })
          .nullable(),
      }),
    )
    .optional(),
  /** Each run of a stage: why a job was slow. Omitted in lists. */
  stages: z.array(StageTimeView).optional(),
  /** Omitted in lists. */
  timeline: z.array(TimelineEntryView).optional(),
});
export type Job = z.infer<typeof Job>;
