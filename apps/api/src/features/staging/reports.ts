/** The full report of a job as a download. */
import { Readable } from 'node:stream';
import type { ReportFormat, ReportPlatform } from '@portcullis/contract';
import { isBlocked, pinnedImageOf, type StagingJob } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import type { ApiCall } from '../../http/call.ts';
import type { Reasons } from '../reports/blocked-reasons.ts';
import { imageResult, stagedResult } from '../reports/image-result.ts';
import { JUNIT_TYPE, junitReport } from '../reports/junit.ts';
import { EXTENSION, sendReport } from '../reports/send-report.ts';
import type { createReportFiles, RequestedReport } from './report-files.ts';

interface WantedReport {
  format: ReportFormat;
  /** Null: all platforms in one document. */
  platform: string | null;
}

type ReportClient = Pick<ApiCall, 'response' | 'signal'>;

export interface Reports {
  send(job: StagingJob, wanted: WantedReport, client: ReportClient): Promise<void>;
  /** Empty without a report. */
  platforms(job: StagingJob): Promise<ReportPlatform[]>;
}

export function createReports(
  files: ReturnType<typeof createReportFiles>,
  reasons: Pick<Reasons, 'of'>,
): Reports {
  async function send(
    job: StagingJob,
    wanted: WantedReport,
    { response, signal }: ReportClient,
  ): Promise<void> {
    const { format, platform } = wanted;
    const { content, mediaType } =
      format === 'junit'
        ? { content: junitOf(job), mediaType: JUNIT_TYPE }
        : await scanReport(job, { format, platform, signal });
    await sendReport(response, { content, mediaType, fileName: fileName(job, wanted) });
  }

  async function scanReport(job: StagingJob, wanted: RequestedReport) {
    const name = pinnedImageOf(job);
    if (job.vulnResult === null || name === null)
      throw notFound('REPORT_UNKNOWN', 'This job has no scan report.');
    return files.file(job, name, wanted);
  }

  async function* junitOf(job: StagingJob): AsyncGenerator<string> {
    const result = job.transferId === null ? stagedResult(job) : imageResult(job);
    const is = (...outcomes: (typeof result.outcome)[]) =>
      outcomes.includes(result.outcome) ? 1 : 0;
    const suite = {
      name: `Job ${job.id}`,
      at: job.createdAt,
      tests: 1,
      failures: is('blocked'),
      errors: is('failed'),
      skipped: is('cancelled', 'open'),
    };
    const reason = isBlocked(job) ? await reasons.of(job) : null;
    yield* junitReport(suite, Readable.from([{ result, reason }]));
  }

  return { send, platforms: async (job) => (job.vulnResult === null ? [] : files.platforms(job)) };
}

/**
 * Repositories, tags and platforms are safe in a header; slashes and colons are not safe in a file
 * name.
 */
function fileName({ image, tag }: StagingJob, { format, platform }: WantedReport): string {
  const parts = [image, tag, ...(platform === null ? [] : [platform])];
  return `${parts.join('-').replaceAll(/[^A-Za-z0-9._-]/g, '-')}.${EXTENSION[format]}`;
}
