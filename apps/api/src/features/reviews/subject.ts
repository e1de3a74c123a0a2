/**
 * The image that a review request is about: that of a job, one that has a tag in the built-in
 * registry, or one that is kept out of a mirror. An image whose job was removed keeps the report of
 * its digest.
 */
import {
  acceptsPush,
  isBlocked,
  type JobDestination,
  LOCAL_REGISTRY_ID,
  type Review,
  type ScanReport,
  type StagingJob,
} from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import { type GatedScan, gatedScan } from '@portcullis/gate';
import type { Store } from '@portcullis/store';

export interface ReviewSubject {
  jobId: string | null;
  image: Review['image'];
  scan: GatedScan;
  /** Null without a scan. */
  report: Pick<ScanReport, 'vulnerabilities' | 'baseLayers'> | null;
}

/** @throws conflict `JOB_NOT_READY` */
export function subjectOfJob(job: StagingJob): ReviewSubject {
  const { id, digest, source, image, tag, vulnResult: report } = job;
  if (!acceptsPush(job) || digest === null)
    throw conflict('JOB_NOT_READY', `A job that is ${job.status} can't be asked about.`, {
      detail: { status: job.status },
    });
  const { registryId, host } = source;
  return {
    jobId: id,
    image: { digest, registryId, host, repository: image, tag },
    scan: gatedScan(job),
    report,
  };
}

export interface TaggedImagePorts {
  images: Pick<Store['images'], 'tagNames'>;
  reports: Pick<Store['reports'], 'find' | 'facts'>;
}

export interface HeldImagePorts {
  mirrors: Pick<Store['mirrors'], 'find'>;
  jobs: Pick<Store['jobs'], 'find'>;
}

/**
 * What the upstream of a mirror has under the tag, where the gate refused the job that was to bring
 * it in, whichever account pulled it first; null where nothing is refused.
 */
export async function heldSubject(
  { repository, tag: reference }: JobDestination,
  { mirrors, jobs }: HeldImagePorts,
): Promise<ReviewSubject | null> {
  const { job: known, tag } = await mirrors.find({ repository, reference });
  if (!known || !isBlocked(known) || known.sourceDigest !== tag?.upstreamDigest) return null;
  const job = await jobs.find(known.id);
  return job && subjectOfJob(job);
}

/** @throws not_found `IMAGE_UNKNOWN`, `REPORT_UNKNOWN` */
export async function taggedSubject(
  { host, repository, tag }: JobDestination,
  { images, reports }: TaggedImagePorts,
): Promise<ReviewSubject> {
  const digest = (await images.tagNames(repository)).find((each) => each.tag === tag)?.digest;
  if (digest === undefined) throw notFound('IMAGE_UNKNOWN', `There is no ${tag} in ${repository}.`);
  const [scan, stored] = await Promise.all([keptScan(digest, reports), reports.find(digest)]);
  if (scan === null || stored === null)
    throw notFound('REPORT_UNKNOWN', 'No scan has stored a report of this image.');
  const image = { digest, registryId: LOCAL_REGISTRY_ID, host, repository, tag };
  return { jobId: null, image, scan, report: stored.report };
}

/** By the report that is kept for the digest. */
export async function keptScan(
  digest: string,
  reports: Pick<Store['reports'], 'facts'>,
): Promise<GatedScan | null> {
  const known = (await reports.facts([digest])).get(digest);
  if (!known?.report) return null;
  const { report, sightedAt } = known;
  const { facts, scanner } = report;
  return {
    digest,
    facts,
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    verdict: 'pending',
    lastScanFailed: false,
    sightedAt,
    scanner: { ...scanner, dbUpdatedAt: facts.databaseAt },
  };
}
