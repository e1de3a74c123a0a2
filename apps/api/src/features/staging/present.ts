/** The job as the API shows it: camelCase inside, snake_case outside. */
import type {
  CoverageGapView,
  Job,
  JobErrorView,
  ProgressView,
  PushPreview,
  PushView,
  StageTimeView,
  TimelineEntryView,
  VulnerabilityView,
  VulnResultView,
} from '@portcullis/contract';
import {
  type CoverageGap,
  isBlocked,
  type JobError,
  LOCAL_REGISTRY_ID,
  type Progress,
  type Push,
  type StageTime,
  type StagingJob,
  severityOf,
  stageTimes,
  type ThreatFeeds,
  type TimelineEntry,
  timelineNote,
  type Vulnerability,
  type VulnResult,
} from '@portcullis/domain';
import { formatImage } from '@portcullis/oci';
import type { JobSummary } from '@portcullis/store';
import type { PreviewedPush } from './service.ts';

type Result = Omit<VulnResult, 'vulnerabilities'> & Partial<Pick<VulnResult, 'vulnerabilities'>>;

const NO_FEEDS: ThreatFeeds = { kev: null, epss: null };

/** @param feeds what is known about the findings */
export function presentJob(
  job: Omit<JobSummary, 'vulnResult'> & { vulnResult: Result | null },
  feeds: ThreatFeeds,
): Job {
  return {
    job_id: job.id,
    status: job.status,
    image: job.image,
    tag: job.tag,
    source: presentSource(job.source),
    platforms: job.platforms,
    digest: job.digest,
    media_type: job.mediaType,
    size: job.size,
    image_released_at: time(job.imageReleasedAt),
    progress: presentProgress(job.progress),
    verdict: job.verdict,
    blocked: isBlocked(job),
    scan_result: job.vulnResult && presentTargets(job.vulnResult),
    vuln_result: job.vulnResult && presentResult(job.vulnResult, feeds),
    overrides: {
      vuln_scan_enabled: job.overrides.vulnScanEnabled,
      vuln_severities: job.overrides.vulnSeverities,
    },
    owner: job.ownerName,
    transfer_id: job.transferId,
    pushes: job.pushes.map(presentPush),
    error: job.error && presentError(job.error),
    attempts: job.attempts,
    request_id: job.requestId,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    finished_at: time(job.finishedAt),
    stages: stageTimes(job.timeline).map(presentStage),
    timeline: job.timeline.map(presentEntry),
  };
}

/** Without the findings, which may be megabytes: what event streams show. */
export function presentChangedJob(job: StagingJob | JobSummary): Job {
  const vulnResult = job.vulnResult && withoutFindings(job.vulnResult);
  return presentJob({ ...job, vulnResult }, NO_FEEDS);
}

/** Without findings and timeline: what lists show. */
export function presentJobSummary(job: JobSummary): Job {
  const { timeline: _, stages: __, ...rest } = presentChangedJob(job);
  return rest;
}

function withoutFindings({ vulnerabilities: _, ...rest }: Result): Result {
  return rest;
}

function presentStage({ stage, startedAt, waitedMs, workedMs }: StageTime): StageTimeView {
  return {
    stage,
    started_at: startedAt.toISOString(),
    waited_ms: waitedMs,
    worked_ms: workedMs,
  };
}

function presentEntry(entry: TimelineEntry): TimelineEntryView {
  const { at, status, kind } = entry;
  return {
    at: at.toISOString(),
    status,
    note: timelineNote(entry),
    kind,
    ...('destination' in entry && { destination: entry.destination }),
    ...('code' in entry && { code: entry.code }),
    ...('left' in entry && { left: entry.left, more: entry.more }),
    ...('seconds' in entry && { seconds: entry.seconds }),
  };
}

function presentSource({ kind, registryId, host }: JobSummary['source']): Job['source'] {
  return { kind, host, ...(registryId !== null && { registry_id: registryId }) };
}

function presentProgress(progress: Progress): ProgressView {
  return {
    phase: progress.phase,
    bytes_done: progress.bytesDone,
    bytes_total: progress.bytesTotal,
    blobs_done: progress.blobsDone,
    blobs_total: progress.blobsTotal,
    bytes_reused: progress.bytesReused,
    rate: progress.rate,
  };
}

function presentPush(push: Push): PushView {
  return {
    id: push.id,
    status: push.status,
    destination: formatImage(`${push.host}/${push.repository}`, push.tag),
    registry_id: push.kind === 'local' ? LOCAL_REGISTRY_ID : push.registryId,
    target_image: push.repository,
    target_tag: push.tag,
    digest: push.digest,
    bytes_done: push.bytesDone,
    bytes_total: push.bytesTotal,
    bytes_mounted: push.bytesMounted,
    error: push.error && presentError(push.error),
    bypassed: push.bypassed ?? null,
    bypass_reason: push.bypass?.reason ?? null,
    waivers: (push.waivers ?? []).map(({ id, vulnerability, approvedBy, until }) => ({
      id,
      vulnerability,
      approved_by: approvedBy,
      until,
    })),
    requested_by: push.requestedBy,
    created_at: push.createdAt.toISOString(),
    finished_at: time(push.finishedAt),
  };
}

function presentError({ code, message, side, retryable }: JobError): JobErrorView {
  return { code, message, retryable, ...(side && { side }) };
}

export function presentResult(result: Result, feeds: ThreatFeeds): VulnResultView {
  const { name, version, dbUpdatedAt } = result.scanner;
  return {
    enabled: result.enabled,
    blocked: result.blocked,
    severities: result.severities,
    ...(result.blocking && { blocking: result.blocking }),
    counts: result.counts,
    fixable: result.fixable,
    total: result.total,
    coverage: result.coverage,
    ...(result.artifactType !== undefined && { artifact_type: result.artifactType }),
    notes: result.notes,
    ...(result.gaps && { gaps: result.gaps.map(presentGap) }),
    os: result.os,
    scanner: { name, version, db_updated_at: dbUpdatedAt },
    ...(result.laterScanFailedAt && { later_scan_failed_at: result.laterScanFailedAt }),
    ...(result.vulnerabilities && {
      ...(result.baseLayers && { base_layers: result.baseLayers }),
      vulnerabilities: result.vulnerabilities.map((found) => presentVulnerability(found, feeds)),
    }),
  };
}

function presentGap(gap: CoverageGap): CoverageGapView {
  switch (gap.kind) {
    case 'layer_unreadable':
    case 'config_unreadable':
      return { kind: gap.kind, platform: gap.platform, media_type: gap.mediaType };
    case 'packages_unjudged':
    case 'version_missing': {
      const { packageType: package_type, ...rest } = gap;
      return { ...rest, package_type };
    }
    case 'files_unread': {
      const { packageType: package_type, ...rest } = gap;
      return { ...rest, package_type };
    }
    case 'os_derived': {
      const { judgedAs: judged_as, ...rest } = gap;
      return { ...rest, judged_as };
    }
    case 'not_an_image':
    case 'artifact_files':
      return { kind: gap.kind, platform: gap.platform, artifact_type: gap.type };
    default:
      return gap;
  }
}

function presentTargets({ targets }: Result): NonNullable<Job['scan_result']> {
  return targets.map(({ target, class: kind, type, counts }) => ({
    target,
    class: kind,
    type,
    counts,
  }));
}

function presentVulnerability(found: Vulnerability, { kev, epss }: ThreatFeeds): VulnerabilityView {
  return {
    id: found.id,
    severity: found.severity,
    title: found.title,
    cvss_score: found.cvssScore,
    cvss_vector: found.cvssVector,
    cvss_source: found.cvssSource,
    kev: kev?.has(found.id) ?? null,
    epss: epss?.score(found.id) ?? null,
    primary_url: found.primaryUrl,
    published_at: found.publishedAt,
    packages: found.packages.map((each) => ({
      ...presentPackage(each),
      severity: severityOf(found, each),
    })),
  };
}

type PackageView = VulnerabilityView['packages'][number];

function presentPackage(found: Vulnerability['packages'][number]): Omit<PackageView, 'severity'> {
  const { name, status, target, path, purl, platform } = found;
  const { installedVersion, fixedVersion, layerDigest, severitySource = null } = found;
  return {
    name,
    installed_version: installedVersion,
    fixed_version: fixedVersion,
    severity_source: severitySource,
    status,
    target,
    path,
    purl,
    layer_digest: layerDigest,
    platform,
  };
}

function time(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

export function presentPreview({
  destination,
  decision,
  bypassed,
  explanation,
}: PreviewedPush): PushPreview {
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
