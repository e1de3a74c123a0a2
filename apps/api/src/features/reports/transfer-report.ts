/** One report for all images of a transfer, written while its jobs are read. */
import type { TransferReportFormat } from '@portcullis/contract';
import { transferOutcomes } from '@portcullis/domain';
import type { Store, Transfer, TransferredJob } from '@portcullis/store';
import type { Response } from 'express';
import type { BlockedReason, Reasons } from './blocked-reasons.ts';
import { imageResult } from './image-result.ts';
import { jobPages } from './job-pages.ts';
import { JUNIT_TYPE, type JUnitCase, junitReport } from './junit.ts';
import { sendReport } from './send-report.ts';
import { transferJson } from './transfer-json.ts';

export interface TransferReportPorts {
  transfers: Pick<Store['transfers'], 'jobs'>;
  reasons: Reasons;
}

export interface TransferReports {
  send(transfer: Transfer, format: TransferReportFormat, response: Response): Promise<void>;
}

export function createTransferReports(ports: TransferReportPorts): TransferReports {
  const writers: Record<TransferReportFormat, Writer> = {
    json: {
      mediaType: 'application/json',
      extension: 'json',
      write: (transfer) => transferJson(transfer, ports),
    },
    junit: {
      mediaType: JUNIT_TYPE,
      extension: 'xml',
      write: (transfer) => transferJunit(transfer, ports),
    },
  };
  return {
    async send(transfer, format, response) {
      const { mediaType, extension, write } = writers[format];
      await sendReport(response, {
        mediaType,
        fileName: `transfer-${transfer.id}.${extension}`,
        content: write(transfer),
      });
    },
  };
}

interface Writer {
  mediaType: string;
  extension: string;
  write(transfer: Transfer): AsyncIterable<string>;
}

function transferJunit(
  transfer: Transfer,
  { transfers, reasons }: TransferReportPorts,
): AsyncIterable<string> {
  const { pushed, blocked, failed, cancelled, open } = transferOutcomes(transfer);
  const suite = {
    name: `Transfer ${transfer.id}`,
    at: transfer.createdAt,
    tests: pushed + blocked + failed + cancelled + open,
    failures: blocked,
    errors: failed,
    skipped: cancelled + open,
  };
  return junitReport(suite, casesOf(reasons.ofAll(jobPages(transfers, transfer.id))));
}

async function* casesOf(
  jobs: AsyncIterable<{ job: TransferredJob; reason: BlockedReason | null }>,
): AsyncGenerator<JUnitCase> {
  for await (const { job, reason } of jobs) yield { result: imageResult(job), reason };
}
