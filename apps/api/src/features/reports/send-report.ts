/** Sends a report as a download that is written while it is read. */
import { pipeline } from 'node:stream/promises';
import type { ReportFormat } from '@portcullis/contract';
import type { Response } from 'express';

export const EXTENSION = {
  json: 'json',
  sarif: 'sarif',
  cyclonedx: 'cdx.json',
  spdx: 'spdx.json',
  junit: 'xml',
} as const satisfies Record<ReportFormat, string>;

export interface SentReport {
  mediaType: string;
  /** Has only letters, digits, dots and dashes. */
  fileName: string;
  content: AsyncIterable<Buffer | string>;
}

export async function sendReport(
  response: Response,
  { mediaType, fileName, content }: SentReport,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  });
  await pipeline(content, response);
}
