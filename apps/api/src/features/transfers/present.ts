/** Shows transfers and schedules as the API does. */
import type { ScheduleView, TransferImages, TransferRequest } from '@portcullis/contract';
import { isSelection, transferOutcomes } from '@portcullis/domain';
import type { JobSummary, Schedule, ScheduleRun, Selection, Transfer } from '@portcullis/store';
import { presentJobSummary } from '../staging/present.ts';
import type { ShownStanding } from '../staging/standings/job-standings.ts';
import { statusOf } from './service.ts';

export function presentTransfer(transfer: Transfer) {
  const { id: transferId, order, ownerName: owner, firstEntry, ...rest } = transfer;
  const { source, destination } = order;
  return {
    ...rest,
    firstImage: {
      repository: firstEntry.image,
      tag: isSelection(firstEntry.tags) ? null : firstEntry.tags.tag,
      destination: firstEntry.repository,
    },
    ...{ transferId, owner, source, destination },
    status: statusOf(transfer),
    outcomes: transferOutcomes(transfer),
    selections: transfer.selections.flatMap((each) => presentSelection(each, destination.host)),
  };
}

interface DetailedTransfer {
  transfer: Transfer;
  images: TransferImages;
  jobs: readonly JobSummary[];
  standings: ReadonlyMap<string, ShownStanding>;
}

export function presentDetail({ transfer, images, jobs, standings }: DetailedTransfer) {
  return {
    ...presentTransfer(transfer),
    images,
    jobs: jobs.map((job) => presentJobSummary(job, standings.get(job.id))),
  };
}

function presentSelection({ entry, ...selection }: Selection, host: string) {
  if (!isSelection(entry.tags)) return [];
  const { match, newest } = entry.tags;
  return [
    {
      ...selection,
      index: selection.position,
      repository: entry.image,
      destination: `${host}/${entry.repository}`,
      match:
        'semver' in match ? { semver: match.semver, prerelease: match.prerelease ?? false } : match,
      newest,
    },
  ];
}

export function presentSchedule(schedule: Schedule, runs: readonly ScheduleRun[]): ScheduleView {
  const { id, name, cron, timezone, enabled, lastError } = schedule;
  return {
    id,
    name,
    cron,
    timezone,
    enabled,
    // The stored body was validated by the contract's schema.
    ...(schedule.request as unknown as TransferRequest),
    owner: schedule.ownerName,
    created_at: schedule.createdAt.toISOString(),
    next_run: time(schedule.nextRunAt),
    last_run: time(schedule.lastRunAt),
    last_transfer_id: schedule.lastTransferId,
    last_error: lastError && { code: lastError.code, message: lastError.message, at: lastError.at },
    recent_runs: runs.map(({ transferId, at, status, blocked }) => ({
      ...{ transfer_id: transferId, at: at.toISOString(), status, blocked },
    })),
  };
}

function time(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
