import type { VulnerabilitySummary, VulnerableImage } from '@portcullis/contract';
import { presentFinding } from '../trivy/present.ts';
import type { JudgedFindingPlace, KnownVulnerability } from './service.ts';

export function presentSummary(known: KnownVulnerability): VulnerabilitySummary {
  return {
    id: known.id,
    severity: known.severity,
    kev: known.kev,
    epss: known.epss,
    title: known.title,
    packages: known.packages,
    fixed_versions: known.fixedVersions,
    images: known.images,
    folders: known.folders,
    first_seen_at: known.firstSeenAt.toISOString(),
    waivers: known.waivers,
  };
}

export function presentVulnerableImage(image: JudgedFindingPlace): VulnerableImage {
  const { verdict, waivers, ...place } = image;
  return {
    ...presentFinding(place),
    verdict,
    waivers: waivers.map(({ id, approvedBy, expiresAt }) => ({
      id,
      approved_by: approvedBy,
      expires_at: expiresAt.toISOString(),
    })),
  };
}
