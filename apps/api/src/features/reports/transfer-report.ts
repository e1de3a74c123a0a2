/** One report for all images of a transfer, written while its jobs are read. */
import type { ReportFormat } from '@portcullis/contract';
import { transferOutcomes } from '@portcullis/domain';
import {
  batchCycloneDx,
  batchSarif,
  batchSpdx,
  exportNames,
  type ImageBatch,
} from '@portcullis/scanner';
import type { Transfer, TransferredJob } from '@portcullis/store';
import type { Response } from 'express';
import type { BlockedReason, Reasons } from './blocked-reasons.ts';
import { type BatchPorts, imageBatch } from './image-batch.ts';
import { imageResult } from './image-result.ts';
import type { ConvertedFormat } from './job-documents.ts';
import { jobPages } from './job-pages.ts';
import { JUNIT_TYPE, type JUnitCase, junitReport } from './junit.ts';
import { EXTENSION, sendReport } from './send-report.ts';
import { transferJson } from './transfer-json.ts';

export interface TransferReportPorts extends BatchPorts {
  reasons: Reasons;
}

export interface TransferReports {
  /** @throws unavailable `SCANNER_UNAVAILABLE` */
  send(transfer: Transfer, format: ReportFormat, response: Response): Promise<void>;
}

interface Writer {
  mediaType: string;
  write(transfer: Transfer): AsyncIterable<string> | Promise<AsyncIterable<string>>;
}

export function createTransferReports(ports: TransferReportPorts): TransferReports {
  const converted =
    (format: ConvertedFormat, write: (batch: ImageBatch) => AsyncIterable<string>) =>
    async (transfer: Transfer) =>
      write(await imageBatch(transfer, format, ports));
  const mediaTypeOf = (format: ConvertedFormat) =>
    exportNames({ format, platform: null }).mediaType;
  const writers: Record<ReportFormat, Writer> = {
    json: {
      mediaType: 'application/json',
      write: (transfer) => transferJson(transfer, ports),
    },
    junit: { mediaType: JUNIT_TYPE, write: (transfer) => transferJunit(transfer, ports) },
    sarif: { mediaType: mediaTypeOf('sarif'), write: converted('sarif', batchSarif) },
    cyclonedx: {
      mediaType: mediaTypeOf('cyclonedx'),
      write: converted('cyclonedx', batchCycloneDx),
    },
    spdx: { mediaType: mediaTypeOf('spdx'), write: converted('spdx', batchSpdx) },
  };
  return {
    async send(transfer, format, response) {
      const { mediaType, write } = writers[format];
      const content = await write(transfer);
      const fileName = `transfer-${transfer.id}.${EXTENSION[format]}`;
      await sendReport(response, { mediaType, fileName, content });
    },
  };
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
