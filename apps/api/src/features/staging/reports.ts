/** The full report of a job in a format of the trade. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ReportFormat } from '@portcullis/contract';
import type { StagingJob } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { Response } from 'express';
import type { ReportFile } from './report-files.ts';

export interface Reports {
  send(job: StagingJob, format: ReportFormat, response: Response): Promise<void>;
}

export interface ReportPorts {
  /** The file of a job's report in this format. @throws not_found, unavailable */
  file(jobId: string, format: ReportFormat): Promise<ReportFile>;
}

const EXTENSION = {
  json: 'json',
  sarif: 'sarif',
  cyclonedx: 'cdx.json',
  spdx: 'spdx.json',
} as const satisfies Record<ReportFormat, string>;

export function createReports(ports: ReportPorts): Reports {
  async function send(job: StagingJob, format: ReportFormat, response: Response): Promise<void> {
    if (job.vulnResult === null) throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    const { path, mediaType } = await ports.file(job.id, format);
    response.writeHead(200, {
      'Content-Type': mediaType,
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${fileName(job, format)}"`,
    });
    await pipeline(createReadStream(path), response);
  }

  return { send };
}

/** A repository's and tag's own characters are harmless in a header; a slash isn't in a file name. */
function fileName({ image, tag }: StagingJob, format: ReportFormat): string {
  return `${`${image}-${tag}`.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.${EXTENSION[format]}`;
}
