/** What a decision about a review request needs to know, as it is now. */
import {
  type ReviewedFinding,
  type ReviewViewer,
  type StagingJob,
  vulnerabilitiesIn,
} from '@portcullis/domain';
import {
  type GatedScan,
  gatedScan,
  type JudgedPush,
  type PushGate,
  UNPRIVILEGED,
} from '@portcullis/gate';
import type {
  DetailedReview,
  DigestTags,
  EarlierDecision,
  ReviewComment,
  Store,
} from '@portcullis/store';
import { keptScan } from './subject.ts';

export interface ReviewFactPorts {
  store: Pick<Store, 'reviews' | 'jobs' | 'reports'>;
  pushGate: Pick<PushGate, 'open'>;
}

export interface ReviewFacts {
  comments: ReviewComment[];
  /** Null where the image has no report any more. */
  judged: JudgedPush | null;
  earlier: ReadonlyMap<string, EarlierDecision[]>;
  /** Null for another registry. */
  covers: DigestTags[] | null;
}

export async function reviewFacts(
  review: DetailedReview,
  { visibleTo, now }: { visibleTo: ReviewViewer | undefined; now: Date },
  { store, pushGate }: ReviewFactPorts,
): Promise<ReviewFacts> {
  const { number, vulnerabilities, image, destination, closed } = review;
  const before = closed?.at ?? now;
  const { folder } = destination;
  const [comments, earlier, covers, scan] = await Promise.all([
    store.reviews.comments(number),
    // What was decided about the age or signatures of other images says nothing about this one.
    store.reviews.earlierDecisions({
      ...{ vulnerabilities: vulnerabilitiesIn(vulnerabilities), number, before, visibleTo },
    }),
    folder === null ? null : store.reviews.placesIn(image.digest, folder),
    scanOf(review, store),
  ]);
  return {
    comments,
    judged: scan && (await judgedNow(scan, review, pushGate)),
    earlier: Map.groupBy(earlier, ({ vulnerability }) => vulnerability),
    covers,
  };
}

async function judgedNow(
  scan: GatedScan,
  { destination: { registryId, repository, folder } }: DetailedReview,
  pushGate: ReviewFactPorts['pushGate'],
): Promise<JudgedPush> {
  const target = { registryId, repository, folder };
  const digests = [scan.digest];
  return (await pushGate.open({ target, ...UNPRIVILEGED, digests })).judgeScan(scan);
}

/** The scan of the job while it has this image, else the report that is kept for the digest. */
async function scanOf(
  { jobId, image: { digest } }: DetailedReview,
  { jobs, reports }: ReviewFactPorts['store'],
): Promise<GatedScan | null> {
  const job: StagingJob | null = jobId === null ? null : await jobs.find(jobId);
  if (job?.digest === digest && job.vulnResult !== null) return gatedScan(job);
  return keptScan(digest, reports);
}

/** The vulnerabilities that block now, of which the request asks for some. */
export function blockingNow({ judged }: ReviewFacts): ReadonlySet<string> | null {
  return judged && new Set(judged.blocking.map(({ finding }) => finding.id));
}

/** Those that block now and are not asked for. */
export function alsoBlocking(
  blocking: ReadonlySet<string> | null,
  findings: readonly ReviewedFinding[],
): string[] {
  const asked = new Set(findings.map(({ vulnerability }) => vulnerability));
  return [...(blocking ?? [])].filter((id) => !asked.has(id));
}
