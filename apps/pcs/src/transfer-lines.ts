/** A transfer and its plan for people. */
import type { Job, PlanItem, TransferPlan, TransferView } from '@portcullis/contract';
import { outcomesText } from './following.ts';
import { countsText, imageOf, painted } from './job-lines.ts';
import { bytesText } from './progress.ts';

export interface EndedTransfer {
  transfer: TransferView;
  /** Jobs that the gate stopped. */
  blocked: readonly Job[];
  /** Jobs that failed for another reason. */
  failed: readonly Job[];
}

export function transferLines({ transfer, blocked, failed }: EndedTransfer): string[] {
  const color = transfer.status === 'done' ? 'green' : 'red';
  return [
    `transfer ${transfer.transfer_id}: ${painted(color, transfer.status.replace('_', ' '))}, ${outcomesText(transfer)}`,
    ...blocked.flatMap((job) => jobRow(job, 'blocked', blockedReason(job))),
    ...failed.flatMap((job) => jobRow(job, 'failed', failure(job))),
    ...transfer.selections.flatMap(({ repository, error }) =>
      error === null
        ? []
        : [`  ${painted('red', 'failed')}   ${repository}: ${error.message} (${error.code})`],
    ),
  ];
}

function jobRow(job: Job, word: string, reason: string): string[] {
  return [`  ${painted('red', word.padEnd(8))} ${imageOf(job)}`, `           ${reason}`];
}

function blockedReason(job: Job): string {
  const { vuln_result: found } = job;
  const counts = found?.blocking ?? found?.counts;
  return `${counts === undefined ? '' : `${countsText(counts)}; `}${failure(job)}`;
}

function failure({ error, verdict }: Job): string {
  return error === null ? `the verdict is ${verdict}` : `${error.message} (${error.code})`;
}

export function planLines({ items, totals }: TransferPlan): string[] {
  const counts = (['copy', 'present', 'refused', 'failed', 'not_looked_at'] as const)
    .flatMap((state) => (totals[state] > 0 ? [`${totals[state]} ${WORDS[state]}`] : []))
    .join(', ');
  return [
    ...items.map(planLine),
    `${totals.images} images: ${counts}; ${bytesText(totals.bytes_to_move)} to move`,
  ];
}

const WORDS: Record<PlanItem['state'], string> = {
  copy: 'to copy',
  present: 'present',
  refused: 'refused',
  failed: 'failed',
  not_looked_at: 'not examined',
};

function planLine(item: PlanItem): string {
  const { repository, tag, destination, state, bytes_to_move: bytes, code, reason } = item;
  const size = state === 'copy' && bytes !== null ? `, ${bytesText(bytes)}` : '';
  const why = code === null ? '' : `: ${reason ?? ''} (${code})`;
  return `  ${WORDS[state].padEnd(12)} ${repository}${tag === null ? '' : `:${tag}`} → ${destination ?? '?'}${size}${why}`;
}
