/** What stored reports say of an image that may be an index, before it is scanned again. */
import { factsOfIndex, type ReportFacts } from './report-facts.ts';

export interface EarlierReport {
  facts: ReportFacts;
  scannedAt: Date;
}

export interface EarlierScan extends EarlierReport {
  /** False where only some manifests of an index were scanned. */
  isWhole: boolean;
}

/**
 * The report of the digest, or those of the manifests in an index without one: then the oldest of
 * them says when it was scanned. Null without any.
 */
export function earlierScanOf(
  own: EarlierReport | null,
  parts: readonly (EarlierReport | null)[],
): EarlierScan | null {
  if (own) return { ...own, isWhole: true };
  const reports = parts.filter((part) => part !== null);
  const [first] = reports.map(({ scannedAt }) => scannedAt).sort((a, b) => Number(a) - Number(b));
  if (!first) return null;
  return {
    facts: factsOfIndex(reports.map(({ facts }) => facts)),
    scannedAt: first,
    isWhole: reports.length === parts.length,
  };
}

/**
 * Whether the decision holds whatever the missing reports say: one manifest is enough to block an
 * index, and each has to pass.
 */
export function isCertain({ isWhole }: EarlierScan, isBlockedByFindings: boolean): boolean {
  return isWhole || isBlockedByFindings;
}
