/** The report of a transfer as JSON: its images by outcome, and why the gate blocked some. */
import { TransferHead, type TransferReport, toWire } from '@portcullis/contract';
import type { Store, Transfer, TransferredJob } from '@portcullis/store';
import { presentTransfer } from '../transfers/present.ts';
import type { BlockedReason, Reasons } from './blocked-reasons.ts';
import { presentImage, presentPushed, presentStopped } from './image-result.ts';
import { jobPages } from './job-pages.ts';

type Blocked = TransferReport['blocked'][number];

export interface JsonPorts {
  transfers: Pick<Store['transfers'], 'jobs'>;
  reasons: Reasons;
}

export async function* transferJson(
  transfer: Transfer,
  { transfers, reasons }: JsonPorts,
): AsyncGenerator<string> {
  const pages = (outcome: 'pushed' | 'blocked' | 'failed' | 'cancelled') =>
    jobPages(transfers, transfer.id, outcome);
  yield JSON.stringify(headOf(transfer), null, 2).replace(/\n\}$/, '');
  yield* member('pushed', mapped(pages('pushed'), presentPushed));
  yield* member('blocked', blockedImages(reasons.ofAll(pages('blocked'))));
  yield* member('failed', mapped(pages('failed'), presentStopped));
  yield* member('cancelled', mapped(pages('cancelled'), presentImage));
  yield '\n}\n';
}

function headOf(transfer: Transfer) {
  return toWire(TransferHead, presentTransfer(transfer));
}

async function* member(name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let separator = '\n    ';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n    ';
  }
  yield separator.startsWith(',') ? '\n  ]' : ']';
}

async function* mapped(
  pages: AsyncIterable<TransferredJob[]>,
  present: (job: TransferredJob) => object,
): AsyncGenerator<object> {
  for await (const page of pages) for (const job of page) yield present(job);
}

async function* blockedImages(
  jobs: AsyncIterable<{ job: TransferredJob; reason: BlockedReason | null }>,
): AsyncGenerator<Blocked> {
  for await (const { job, reason } of jobs) yield presentBlocked(job, reason);
}

function presentBlocked(job: TransferredJob, reason: BlockedReason | null): Blocked {
  const stopped = presentStopped(job);
  return {
    ...stopped,
    reason: stopped.reason ?? reason?.reason ?? null,
    policy: reason?.policy ?? null,
    findings: (reason?.findings ?? []).map(({ finding }) => ({
      vulnerability: finding.id,
      severity: finding.severity,
      package: finding.package,
      installed_version: finding.installedVersion,
      fixed_version: finding.fixedVersion,
    })),
  };
}
