/** The job as the API shows it. */
import {
  type CoverageGap,
  isBlocked,
  type JobError,
  LOCAL_REGISTRY_ID,
  type Push,
  reviewChange,
  reviewStateAt,
  type StagingJob,
  severityOf,
  stageTimes,
  type ThreatFeeds,
  timelineNote,
  type Vulnerability,
  type VulnResult,
} from '@portcullis/domain';
import { formatImage } from '@portcullis/oci';
import type { JobSummary, StoredReview } from '@portcullis/store';
import type { PreviewedPush } from './service.ts';
import type { ShownStanding } from './standings/job-standings.ts';

type Result = Omit<VulnResult, 'vulnerabilities'> & Partial<Pick<VulnResult, 'vulnerabilities'>>;

const NO_FEEDS: ThreatFeeds = { kev: null, epss: null };

type Shown = Omit<JobSummary, 'vulnResult'> & { vulnResult: Result | null };

/** @param feeds what is known about the findings */
export function presentJob(job: Shown, feeds: ThreatFeeds, standing: ShownStanding) {
  return {
    ...withoutTimeline(job, feeds),
    standing,
    stages: stageTimes(job.timeline),
    timeline: job.timeline.map((entry) => ({ ...entry, note: timelineNote(entry) })),
  };
}

function withoutTimeline({ timeline: _, ...job }: Shown, feeds: ThreatFeeds) {
  return {
    ...job,
    jobId: job.id,
    source: { ...job.source, registryId: job.source.registryId ?? undefined },
    blocked: isBlocked(job),
    scanResult: job.vulnResult?.targets ?? null,
    vulnResult: job.vulnResult && presentResult(job.vulnResult, feeds),
    owner: job.ownerName,
    pushes: job.pushes.map(presentPush),
    error: job.error && presentError(job.error),
  };
}

/** Without the findings, which may be megabytes: what event streams show. */
export function presentChangedJob(job: StagingJob | JobSummary, standing: ShownStanding) {
  return presentJob(withoutFindings(job), NO_FEEDS, standing);
}

/** Without findings and timeline: what lists show. */
export function presentJobSummary(job: JobSummary, standing?: ShownStanding) {
  return { ...withoutTimeline(withoutFindings(job), NO_FEEDS), standing };
}

function withoutFindings(job: StagingJob | JobSummary): Shown {
  if (!job.vulnResult) return { ...job, vulnResult: null };
  const { vulnerabilities: _, ...vulnResult }: Result = job.vulnResult;
  return { ...job, vulnResult };
}

/** A review request as its job names it. */
export function presentJobReview(review: StoredReview, now: Date) {
  const { number, destination, until, push, closed } = review;
  const { folder, registryId, repository, tag } = destination;
  return {
    ...{ number, folder, registryId, repository, tag, until, push },
    state: reviewStateAt(review, now),
    comment: closed?.comment ?? null,
    changed: reviewChange(review, review.jobDigest),
  };
}

function presentPush(push: Push) {
  return {
    ...push,
    destination: formatImage(`${push.host}/${push.repository}`, push.tag),
    registryId: push.kind === 'local' ? LOCAL_REGISTRY_ID : push.registryId,
    targetImage: push.repository,
    targetTag: push.tag,
    error: push.error && presentError(push.error),
    bypassed: push.bypassed ?? null,
    bypassReason: push.bypass?.reason ?? null,
    waivers: push.waivers ?? [],
  };
}

function presentError({ side, ...error }: JobError) {
  return { ...error, side: side ?? undefined };
}

export function presentResult({ vulnerabilities, ...result }: Result, feeds: ThreatFeeds) {
  return {
    ...result,
    gaps: result.gaps?.map(presentGap),
    baseLayers: vulnerabilities && result.baseLayers,
    vulnerabilities: vulnerabilities?.map((found) => presentVulnerability(found, feeds)),
  };
}

function presentGap(gap: CoverageGap) {
  const { kind, platform } = gap;
  const isArtifact = kind === 'not_an_image' || kind === 'artifact_files';
  return isArtifact ? { kind, platform, artifactType: gap.type } : gap;
}

function presentVulnerability(found: Vulnerability, { kev, epss }: ThreatFeeds) {
  return {
    ...found,
    kev: kev?.has(found.id) ?? null,
    epss: epss?.score(found.id) ?? null,
    packages: found.packages.map((each) => ({
      ...each,
      severity: severityOf(found, each),
      severitySource: each.severitySource ?? null,
    })),
  };
}

export function presentPreview({ destination, decision, bypassed, explanation }: PreviewedPush) {
  const { kind, host, repository, tag, folder } = destination;
  const refusal = decision.allowed
    ? { code: null, reason: null }
    : { code: decision.code, reason: decision.reason };
  const place = {
    destination: formatImage(`${host}/${repository}`, tag),
    local: kind === 'local',
    folder,
    repository,
    tag,
  };
  return { ...place, allowed: decision.allowed, ...refusal, bypassed, decision: explanation };
}
