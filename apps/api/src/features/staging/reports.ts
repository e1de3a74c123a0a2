/** The full report of a job as a download. */
import { pipeline } from 'node:stream/promises';
import type { ReportFormat, ReportPlatform } from '@portcullis/contract';
import { pinnedImageOf, type StagingJob } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { Response } from 'express';
import type { createReportFiles, RequestedReport } from './report-files.ts';

export interface Reports {
  send(job: StagingJob, wanted: RequestedReport, response: Response): Promise<void>;
  /** Empty without a report. */
  platforms(job: StagingJob): Promise<ReportPlatform[]>;
}

const EXTENSION = {
  json: 'json',
  sarif: 'sarif',
  cyclonedx: 'cdx.json',
  spdx: 'spdx.json',
} as const satisfies Record<ReportFormat, string>;

export function createReports(files: ReturnType<typeof createReportFiles>): Reports {
  async function send(job: StagingJob, wanted: RequestedReport, response: Response): Promise<void> {
    const name = pinnedImageOf(job);
    if (job.vulnResult === null || name === null)
      throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    const { content, mediaType } = await files.file(job, name, wanted);
    response.writeHead(200, {
      'Content-Type': mediaType,
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${fileName(job, wanted)}"`,
    });
    await pipeline(content, response);
  }

  return { send, platforms: async (job) => (job.vulnResult === null ? [] : files.platforms(job)) };
}

/**
 * Repositories, tags and platforms are safe in a header; slashes and colons are not safe in a file
 * name.
 */
function fileName({ image, tag }: StagingJob, { format, platform }: RequestedReport): string {
  const parts = [image, tag, ...(platform === null ? [] : [platform])];
  return `${parts.join('-').replaceAll(/[^A-Za-z0-9._-]/g, '-')}.${EXTENSION[format]}`;
}
