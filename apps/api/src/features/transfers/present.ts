import type {
  ScheduleView,
  SelectionView,
  TransferDetail,
  TransferImages,
  TransferRequest,
  TransferView,
} from '@portcullis/contract';
import { isSelection, transferOutcomes } from '@portcullis/domain';
import type { JobSummary, Schedule, Selection, Transfer } from '@portcullis/store';
import { presentJobSummary } from '../staging/present.ts';
import { statusOf } from './service.ts';

export function presentTransfer(transfer: Transfer): TransferView {
  const { order } = transfer;
  return {
    transfer_id: transfer.id,
    status: statusOf(transfer),
    counts: transfer.counts,
    blocked: transfer.blocked,
    bypassed: transfer.bypassed,
    bypasses: transfer.bypasses,
    outcomes: transferOutcomes(transfer),
    bytes: transfer.bytes,
    selections: transfer.selections.flatMap((selection) =>
      presentSelection(selection, order.destination.host),
    ),
    source: { registry_id: order.source.registryId, host: order.source.host },
    destination: { registry_id: order.destination.registryId, host: order.destination.host },
    owner: transfer.ownerName,
    schedule_id: transfer.scheduleId,
    created_at: transfer.createdAt.toISOString(),
  };
}

export function presentDetail(
  transfer: Transfer,
  images: TransferImages,
  jobs: JobSummary[],
): TransferDetail {
  return { ...presentTransfer(transfer), images, jobs: jobs.map(presentJobSummary) };
}

function presentSelection({ entry, ...selection }: Selection, host: string): SelectionView[] {
  if (!isSelection(entry.tags)) return [];
  const { match, newest } = entry.tags;
  return [
    {
      index: selection.position,
      repository: entry.image,
      destination: `${host}/${entry.repository}`,
      match:
        'semver' in match ? { semver: match.semver, prerelease: match.prerelease ?? false } : match,
      newest,
      state: selection.state,
      tags_seen: selection.tagsSeen,
      jobs_made: selection.jobsMade,
      error: selection.error && { code: selection.error.code, message: selection.error.message },
    },
  ];
}

export function presentSchedule(schedule: Schedule): ScheduleView {
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
  };
}

function time(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
