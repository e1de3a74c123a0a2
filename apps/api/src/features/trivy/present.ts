import type {
  DatabaseUpdate,
  FindingPlace,
  ImageScan,
  ScannerDatabase,
  ScannerState,
} from '@portcullis/contract';
import type { EffectivePolicy, ThreatFeeds } from '@portcullis/domain';
import type { MaintenanceRun, FindingPlace as Place, RematchProgress } from '@portcullis/store';
import { presentResult } from '../staging/present.ts';
import type { ScannerFacts } from '../system/service.ts';
import type { ListedScan, ScanShown } from './scans.ts';

export function presentScanner(
  { enabled, available, version, db }: ScannerFacts,
  policy: EffectivePolicy,
  now: Date,
): ScannerState {
  return {
    enabled,
    available,
    version,
    db: db && presentDatabase(db, now),
    policy: presentPolicy(policy),
  };
}

export function presentDatabase(
  { updatedAt, nextUpdate, source }: NonNullable<ScannerFacts['db']>,
  now: Date,
): NonNullable<ScannerState['db']> {
  const age =
    updatedAt === null
      ? null
      : Math.max(0, Math.round((now.getTime() - Date.parse(updatedAt)) / 1000));
  return { updated_at: utc(updatedAt), next_update: utc(nextUpdate), age_s: age, source };
}

/** A failed update of the index is shown as a failure, also where an older index remains. */
export function presentJavaIndex({
  db,
  javaDownload,
}: ScannerFacts): ScannerDatabase['java_index'] {
  const updatedAt = db?.javaUpdatedAt ?? null;
  const { state, bytes = null, code = null, message = null } = javaDownload ?? {};
  const underway = state === 'downloading' || state === 'failed' ? state : null;
  return {
    state: underway ?? (updatedAt === null ? 'missing' : 'ready'),
    updated_at: utc(updatedAt),
    bytes,
    code,
    message,
  };
}

/** Trivy writes nanoseconds and local offsets. */
function utc(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

export function presentPolicy(policy: EffectivePolicy): ScannerState['policy'] {
  return {
    scan_enabled: policy.scanEnabled,
    severities: policy.severities,
    ignore_unfixed: policy.ignoreUnfixed,
    timeout_s: policy.timeoutSeconds,
    on_error: policy.onError,
    third_party: policy.thirdParty,
    override: policy.override,
    max_database_age_days: policy.maxDatabaseAgeDays,
    source: policy.source,
  };
}

const NO_UPDATE: DatabaseUpdate = {
  state: 'idle',
  requested_by: null,
  requested_at: null,
  started_at: null,
  finished_at: null,
  error: null,
};

export function presentRematch({
  isRunning,
  dbUpdatedAt,
  startedAt,
  renewedAt,
  matched,
  changed,
  skipped,
  failed,
  workedMs,
}: RematchProgress): NonNullable<ScannerDatabase['rematch']> {
  const images = matched + skipped + failed;
  return {
    state: isRunning ? 'running' : 'done',
    db_updated_at: dbUpdatedAt.toISOString(),
    started_at: startedAt.toISOString(),
    updated_at: renewedAt.toISOString(),
    matched,
    changed,
    skipped,
    failed,
    images_per_second: images > 0 && workedMs > 0 ? (images * 1000) / workedMs : null,
  };
}

export function presentUpdate(run: MaintenanceRun | null): DatabaseUpdate {
  if (!run) return NO_UPDATE;
  return {
    state: run.state === 'queued' ? 'running' : run.state,
    requested_by: run.requestedBy,
    requested_at: run.requestedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    error: run.error,
  };
}

export function presentScan(
  { scan, judgement, counts }: ScanShown | (ListedScan & { judgement: null }),
  feeds: ThreatFeeds,
): ImageScan {
  return {
    id: scan.id,
    state: scan.state,
    registry_id: scan.registryId,
    repository: scan.repository,
    reference: scan.reference,
    digest: scan.digest,
    requested_by: scan.requestedBy,
    created_at: scan.createdAt.toISOString(),
    finished_at: scan.finishedAt?.toISOString() ?? null,
    error: scan.error,
    counts,
    verdict: judgement?.verdict ?? null,
    result: judgement && presentResult(judgement.result, feeds),
  };
}

export function presentFinding(place: Place): FindingPlace {
  const { tagCount, installedVersion, fixedVersion, scannedAt, ...rest } = place;
  return {
    ...rest,
    tag_count: tagCount,
    installed_version: installedVersion,
    fixed_version: fixedVersion,
    scanned_at: scannedAt.toISOString(),
  };
}
