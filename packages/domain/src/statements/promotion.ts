/**
 * The record of a push into the built-in registry: from where an image came, at which digest, and
 * who asked for it and approved it.
 */
import type { Push, StagingJob } from '../job/staging-job.ts';
import { digestSet, issuerOf, nameOf, type StatedBy, type StatedImage } from './statement.ts';

/** What a job pushed; it is kept longer than the job. */
export interface StatedPromotion {
  /** When the push ended. */
  at: Date;
  jobId: string;
  transferId: string | null;
  source: { image: string; tag: string; digest: string | null };
  tag: string;
  requestedBy: string;
  /** Those who approved the waivers by which it passed. */
  approvedBy: string[];
  /** Why it would have been refused without a privilege. */
  bypassed: string | null;
}

/** Null for a push to elsewhere, and one that did not end well. */
export function promotionOf(job: StagingJob, push: Push): StatedPromotion | null {
  if (push.kind !== 'local' || push.status !== 'done' || push.finishedAt === null) return null;
  const approved = (push.waivers ?? []).flatMap(({ approvedBy }) => approvedBy ?? []);
  return {
    at: push.finishedAt,
    jobId: job.id,
    transferId: job.transferId,
    source: {
      image: `${job.source.host}/${job.image}`,
      tag: job.tag,
      digest: job.sourceDigest ?? job.digest,
    },
    tag: push.tag,
    requestedBy: push.requestedBy,
    approvedBy: [...new Set(approved)].sort(),
    bypassed: push.bypassed ?? null,
  };
}

export function promotionRecord(image: StatedImage, promotion: StatedPromotion, by: StatedBy) {
  const { at, jobId, transferId, source, tag, requestedBy, approvedBy, bypassed } = promotion;
  return {
    recorder: { id: issuerOf(by), version: { portcullis: by.version } },
    promotedOn: at.toISOString(),
    source: {
      uri: `${source.image}:${source.tag}`,
      ...(source.digest !== null && { digest: digestSet(source.digest) }),
    },
    destination: { uri: `${nameOf(image, by)}:${tag}`, digest: digestSet(image.digest) },
    requestedBy,
    approvedBy,
    ...(bypassed !== null && { bypassed }),
    job: jobId,
    ...(transferId !== null && { transfer: transferId }),
  };
}
