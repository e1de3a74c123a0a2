/** Whether the scan of a digest failed, as far as its place is concerned. */
import type { DigestFacts } from '@portcullis/store';

export const NEVER_SCANNED: DigestFacts = {
  ...{ report: null, failedScanIn: [], sightedAt: null, signatures: null },
};

export function hasFailedScan({ failedScanIn }: DigestFacts, repository: string): boolean {
  return failedScanIn === 'all' || failedScanIn.includes(repository);
}
