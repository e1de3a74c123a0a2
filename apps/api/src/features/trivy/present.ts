/** Shows the scanner, its database and the scan settings as the API does. */
import type { DatabaseUpdate, ScannerDatabase } from '@portcullis/contract';
import type { EffectivePolicy, ThreatFeeds } from '@portcullis/domain';
import type { MaintenanceRun, RematchProgress } from '@portcullis/store';
import { presentResult } from '../staging/present.ts';
import type { ScannerFacts } from '../system/service.ts';
import type { ListedScan, ScanShown } from './scans.ts';

export function presentScanner(
  { enabled, available, version, db }: ScannerFacts,
  policy: EffectivePolicy,
  now: Date,
) {
  return {
    ...{ enabled, available, version },
    db: db && presentDatabase(db, now),
    policy: presentPolicy(policy),
  };
}

export function presentDatabase(
  { updatedAt, nextUpdate, source }: NonNullable<ScannerFacts['db']>,
  now: Date,
) {
  const age =
    updatedAt === null
      ? null
      : Math.max(0, Math.round((now.getTime() - Date.parse(updatedAt)) / 1000));
  return { updatedAt: utc(updatedAt), nextUpdate: utc(nextUpdate), ageS: age, source };
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

export function presentPolicy(policy: EffectivePolicy) {
  return { ...policy, timeoutS: policy.timeoutSeconds };
}

const NO_UPDATE: DatabaseUpdate = {
  state: 'idle',
  requested_by: null,
  requested_at: null,
  started_at: null,
  finished_at: null,
  error: null,
};

export function presentRematch({ isRunning, renewedAt, workedMs, ...rest }: RematchProgress) {
  const images = rest.matched + rest.skipped + rest.failed;
  return {
    ...rest,
    state: isRunning ? ('running' as const) : ('done' as const),
    updatedAt: renewedAt,
    imagesPerSecond: images > 0 && workedMs > 0 ? (images * 1000) / workedMs : null,
  };
}

export function presentUpdate(run: MaintenanceRun | null) {
  if (!run) return NO_UPDATE;
  return { ...run, state: run.state === 'queued' ? ('running' as const) : run.state };
}

export function presentScan(
  { scan, judgement, counts }: ScanShown | (ListedScan & { judgement: null }),
  feeds: ThreatFeeds,
) {
  return {
    ...scan,
    counts,
    verdict: judgement?.verdict ?? null,
    result: judgement && presentResult(judgement.result, feeds),
  };
}
