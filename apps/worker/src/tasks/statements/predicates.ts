/** What each kind of statement says, from what is stored of the image. */
import {
  hostOf,
  type LeftOut,
  promotionRecord,
  type StatedBy,
  type StatedImage,
  type StatedScan,
  scannedVulnerabilities,
  verificationSummary,
} from '@portcullis/domain';
import { readStoredParts, softwareBill } from '@portcullis/scanner';
import type { Store, WantedStatement } from '@portcullis/store';

export interface PredicatePorts {
  reports: Pick<Store['reports'], 'find'>;
  analyses: Pick<Store['analyses'], 'find' | 'contents'>;
}

/** Or why it can not be stated. */
export type Predicate = object | LeftOut;

export function createPredicates({ reports, analyses }: PredicatePorts) {
  async function listOfPackages(
    image: StatedImage,
    { at, scannerVersion }: StatedScan,
    by: StatedBy,
  ): Promise<Predicate> {
    const listed = await readStoredParts(analyses, image.digest);
    if ('absent' in listed) return listed.absent === 'missing' ? 'packages_unknown' : 'too_large';
    return softwareBill({
      image: { ...image, tag: null, registry: hostOf(by) },
      ...{ at, scannerVersion, version: by.version },
      parts: listed.parts,
    });
  }

  async function findings(image: StatedImage, scan: StatedScan, by: StatedBy): Promise<Predicate> {
    const stored = await reports.find(image.digest);
    // The report was removed since: it is not wanted any more.
    if (!stored) return 'packages_unknown';
    return scannedVulnerabilities(image, { report: stored.report, scan }, by);
  }

  return async function predicateOf(
    image: StatedImage,
    { stated }: Pick<WantedStatement, 'stated'>,
    by: StatedBy,
  ): Promise<Predicate> {
    switch (stated.kind) {
      case 'verdict':
        return verificationSummary(image, stated.facts, by);
      case 'sbom':
        return listOfPackages(image, stated.facts, by);
      case 'vulns':
        return findings(image, stated.facts, by);
      case 'promotion':
        return promotionRecord(image, stated.facts, by);
    }
  };
}
