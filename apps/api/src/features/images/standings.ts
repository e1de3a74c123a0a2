/** Judges images by the newest report of their digest under the present policy. */
import {
  type ScanPolicy,
  type SeverityCounts,
  type Verdict,
  verdictOfSummary,
} from '@portcullis/domain';
import type { Store } from '@portcullis/store';

export interface StandingPorts {
  reports: Pick<Store['reports'], 'summaries'>;
  policy(): Promise<ScanPolicy>;
}

export interface JudgedReport {
  verdict: Verdict;
  counts: SeverityCounts;
  scannedAt: Date;
}

export type Standings = ReturnType<typeof createStandings>;

export function createStandings({ reports, policy }: StandingPorts) {
  /** Contains only digests with a report. */
  async function standings(digests: readonly string[]): Promise<Map<string, JudgedReport>> {
    if (digests.length === 0) return new Map();
    const [found, rules] = await Promise.all([reports.summaries(digests), policy()]);
    return new Map(
      [...found].map(([digest, { summary, ...rest }]) => [
        digest,
        { ...rest, verdict: verdictOfSummary(summary, rules) },
      ]),
    );
  }

  /** Without a report, the state of the newest staging job applies, such as skipped or failed. */
  async function judged<T extends { digest: string; verdict: Verdict | null }>(
    images: T[],
  ): Promise<T[]> {
    const known = await standings(images.map(({ digest }) => digest));
    return images.map((image) => ({
      ...image,
      verdict: known.get(image.digest)?.verdict ?? image.verdict,
    }));
  }

  return { standings, judged };
}
