/** The full reports of a job, stored beside it as Trivy wrote them. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid, notFound } from '@portcullis/errors';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { reportFile, type ScannableImage } from '../scan/select.ts';
import { redactReport } from './redact.ts';

const PlatformReport = z.object({
  /** Digest of the platform's manifest. */
  digest: z.string(),
  platform: z.string().nullable(),
  file: z.string(),
  /** Digest of its configuration; absent in reports that were stored before it was recorded. */
  config: z.string().nullable().default(null),
});
export type PlatformReport = z.infer<typeof PlatformReport>;

export const LIST = 'reports.json';

export async function storeReports(
  scanDir: string,
  reportDir: string,
  images: ScannableImage[],
): Promise<void> {
  await rm(reportDir, { recursive: true, force: true });
  await mkdir(reportDir, { recursive: true, mode: 0o700 });
  const kept: PlatformReport[] = [];
  for (const image of images) {
    const file = reportFile(image);
    const { platform } = await redactReport(join(scanDir, file), join(reportDir, file));
    const { digest, config } = image;
    kept.push({ digest, platform: image.platform ?? platform, file, config: config.digest });
  }
  await writeFile(join(reportDir, LIST), JSON.stringify(kept), { mode: 0o600 });
}

/** Empty where no scan stored one. */
export async function listReports(reportDir: string): Promise<PlatformReport[]> {
  try {
    return parseReports(await readFile(join(reportDir, LIST), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

export function parseReports(text: string): PlatformReport[] {
  return z.array(PlatformReport).parse(JSON.parse(text));
}

/**
 * Reports of one platform, or of all where it is null. @throws not_found `REPORT_NOT_FOUND`;
 * invalid `PLATFORM_UNKNOWN`, whose message names the available platforms
 */
export function chooseReports<T extends Pick<PlatformReport, 'platform'>>(
  reports: T[],
  platform: string | null,
): T[] {
  if (reports.length === 0) throw notFound('REPORT_NOT_FOUND', 'there is no report of this image');
  if (platform === null) return reports;
  const chosen = reports.filter((report) => report.platform === platform);
  if (chosen.length > 0) return chosen;
  const known = platformsOf(reports);
  const message =
    known.length === 0
      ? 'this report names no platforms: ask for it without one'
      : `there is no report for ${platform}; there is one for ${known.join(', ')}`;
  throw invalid('PLATFORM_UNKNOWN', message, {
    detail: {
      errors: [
        {
          path: 'platform',
          code: 'PLATFORM_UNKNOWN',
          params: { platforms: known.join(', ') },
          message,
        },
      ],
    },
  });
}

const MOST_NAMED = 50;

function platformsOf(reports: Pick<PlatformReport, 'platform'>[]): string[] {
  const named = reports.flatMap(({ platform }) => platform ?? []);
  return [...new Set(named)].slice(0, MOST_NAMED);
}
