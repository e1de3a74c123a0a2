/** The transfer as the API shows it. */
import { JOB_STATUSES, SELECTION_STATES, SEVERITIES, TRANSFER_STATUSES } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from './common.ts';
import { Job } from './staging-job.ts';
import { TagMatch } from './transfer-input.ts';

export const Fault = z.strictObject({ code: z.string(), message: z.string() });

export const SelectionView = z.strictObject({
  /** The index of the entry in `images`. */
  index: z.number().int(),
  repository: z.string(),
  destination: z.string(),
  match: TagMatch,
  newest: z.number().int().nullable(),
  state: z.enum(SELECTION_STATES),
  tags_seen: z.number().int(),
  jobs_made: z.number().int(),
  /**
   * The newest tags that were left out, because the policy of the destination asks for an age that
   * their images do not have yet: older ones were taken in their place.
   */
  skipped: z.array(z.strictObject({ tag: z.string(), until: Time })),
  error: Fault.nullable(),
});
export type SelectionView = z.infer<typeof SelectionView>;

const End = z.strictObject({ registry_id: z.string().nullable(), host: z.string() });

export const TransferView = z.strictObject({
  transfer_id: Uuid,
  status: z.enum(TRANSFER_STATUSES),
  counts: z.partialRecord(z.enum(JOB_STATUSES), z.number().int()),
  /** Jobs that the gate stopped; they count as `staged` or `failed`, too. */
  blocked: z.number().int(),
  /** Pushed jobs that the gate would have stopped without the privilege of an account. */
  bypassed: z.number().int(),
  /** Who let those through, and why: at most ten answers, the first one of each account first. */
  bypasses: z.array(z.strictObject({ by: z.string(), reason: z.string().nullable() })),
  /** Each job counts once: blocked ones are not failed, and what waits for a review is open. */
  outcomes: z.strictObject({
    pushed: z.number().int(),
    blocked: z.number().int(),
    failed: z.number().int(),
    cancelled: z.number().int(),
    open: z.number().int(),
  }),
  /** `total` counts all images that were examined; the other figures count the pushes. */
  bytes: z.strictObject({
    total: z.number(),
    done: z.number(),
    reused: z.number(),
    mounted: z.number(),
  }),
  selections: z.array(SelectionView),
  source: End,
  destination: End,
  owner: z.string(),
  schedule_id: Uuid.nullable(),
  /** Null also where the schedule was deleted. */
  schedule_name: z.string().nullable(),
  first_image: z.strictObject({
    repository: z.string(),
    /** A tag or digest; null for a pattern of tags. */
    tag: z.string().nullable(),
    /** The repository at the destination. */
    destination: z.string(),
  }),
  /** How many entries were asked for; one with a pattern may be many images. */
  entry_count: z.number().int(),
  created_at: Time,
});
export type TransferView = z.infer<typeof TransferView>;

const TransferredImage = {
  job_id: Uuid,
  /** `registry/repository:tag@digest` of the source; without a digest if the pull failed. */
  image: z.string(),
  /** `host/repository:tag` as it is written. */
  destination: z.string(),
};

/** `reason` is in English; programs use `code`. */
const StoppedImage = z.strictObject({
  ...TransferredImage,
  code: z.string(),
  reason: z.string().nullable(),
});

/** By image and tag, at most 200 in each list. */
export const TransferImages = z.strictObject({
  /** With the digest at the destination. */
  pushed: z.array(z.strictObject({ ...TransferredImage, digest: z.string().nullable() })),
  blocked: z.array(StoppedImage),
  failed: z.array(StoppedImage),
  /** Whether a list is incomplete: `outcomes` has the totals, and the report has all images. */
  more: z.boolean(),
});
export type TransferImages = z.infer<typeof TransferImages>;

/** What the JSON of the report of a transfer begins with. */
export const TransferHead = TransferView.pick({
  transfer_id: true,
  status: true,
  outcomes: true,
  source: true,
  destination: true,
  owner: true,
  schedule_id: true,
  created_at: true,
});

/** The JSON of the report of a transfer. */
export const TransferReport = z.strictObject({
  ...TransferHead.shape,
  pushed: TransferImages.shape.pushed,
  blocked: z.array(
    z.strictObject({
      ...StoppedImage.shape,
      /** That of the destination, as it is at the moment of the report; null if the job is gone. */
      policy: z
        .strictObject({ id: z.string().nullable(), name: z.string(), version: z.string() })
        .nullable(),
      /** All that block by this policy now. */
      findings: z.array(
        z.strictObject({
          vulnerability: z.string(),
          severity: z.enum(SEVERITIES),
          package: z.string(),
          installed_version: z.string(),
          fixed_version: z.string().nullable(),
        }),
      ),
    }),
  ),
  failed: TransferImages.shape.failed,
  cancelled: z.array(z.strictObject(TransferredImage)),
});
export type TransferReport = z.infer<typeof TransferReport>;

export const TransferDetail = z.strictObject({
  ...TransferView.shape,
  images: TransferImages,
  jobs: z.array(Job),
});
export type TransferDetail = z.infer<typeof TransferDetail>;
