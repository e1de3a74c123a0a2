/** A finding for tests. */
import type { ShownFinding } from './finding-list.ts';

export function found(
  id: string,
  severity: ShownFinding['severity'],
  packages: readonly [name: string, installed: string, fixed: string | null][],
  more: Partial<ShownFinding> = {},
): ShownFinding {
  return {
    id,
    severity,
    title: `${id} in words`,
    cvss_score: null,
    cvss_vector: null,
    cvss_source: null,
    kev: null,
    epss: null,
    primary_url: null,
    published_at: null,
    packages: packages.map(([name, installed_version, fixed_version]) => ({
      name,
      installed_version,
      fixed_version,
      severity,
      severity_source: null,
      status: 'affected',
      target: 'debian',
      path: null,
      purl: null,
      layer_digest: null,
      platform: null,
    })),
    ...more,
  };
}
