/** A transfer and its plan for people. */
import { countText } from '@portcullis/command';
import type {
  Job,
  PlanItem,
  PlannedDecision,
  TransferPlan,
  TransferView,
} from '@portcullis/contract';
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
    ...transfer.selections.flatMap(({ repository, error, skipped }) => [
      ...(error === null
        ? []
        : [`  ${painted('red', 'failed')}   ${repository}: ${error.message} (${error.code})`]),
      ...skipped.map(
        ({ tag, until }) => `  skipped  ${repository}:${tag} is too young until ${until}`,
      ),
    ]),
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
  const counts = (['copy', 'present', 'refused', 'failed', 'not_looked_at', 'skipped'] as const)
    .flatMap((state) => (totals[state] > 0 ? [`${totals[state]} ${WORDS[state]}`] : []))
    .join(', ');
  const gate = [
    ...(totals.blocked > 0 ? [`${totals.blocked} would be blocked`] : []),
    ...(totals.not_judged > 0 ? [`${totals.not_judged} not scanned yet`] : []),
  ].join(', ');
  return [
    ...items.flatMap(planRow),
    `${countText(totals.images, 'image')}: ${counts}; ${bytesText(totals.bytes_to_move)} to move${gate && `; ${gate}`}`,
  ];
}

const WORDS: Record<PlanItem['state'], string> = {
  copy: 'to copy',
  present: 'present',
  refused: 'refused',
  failed: 'failed',
  not_looked_at: 'not examined',
  skipped: 'skipped',
};

function planRow(item: PlanItem): string[] {
  const { decision } = item;
  const gate = decision === null ? tagText(item) : gateText(decision);
  return [planLine(item), ...gate.map((text) => `               ${text}`)];
}

/** What its tag refuses at the push of an image. */
function tagText({ state, code, reason }: PlanItem): string[] {
  if (state !== 'copy' || code === null) return [];
  return [`${painted('red', 'would be blocked')}: ${reason ?? ''} (${code})`];
}

/** What the gate would decide; nothing for what simply passes. */
function gateText(decision: PlannedDecision): string[] {
  const { because, code, counts, blocking_total: total, policy, scanned_at } = decision;
  if (code === null) return [];
  const word = because === 'bypass' ? 'blocked but for your privilege' : 'would be blocked';
  const found = total === 0 ? '' : `${countsText(counts)}; `;
  const known = scanned_at === null ? '' : `, scanned ${scanned_at}`;
  const why = `${found}policy "${policy.name}"${known} (${code})`;
  return [`${painted('red', word)}: ${why}`];
}

function planLine(item: PlanItem): string {
  const { repository, tag, destination, state, bytes_to_move: bytes, code, reason } = item;
  const size = state === 'copy' && bytes !== null ? `, ${bytesText(bytes)}` : '';
  const why = code === null || state === 'copy' ? '' : `: ${reason ?? ''} (${code})`;
  return `  ${WORDS[state].padEnd(12)} ${repository}${tag === null ? '' : `:${tag}`} → ${destination ?? '?'}${size}${why}`;
}
