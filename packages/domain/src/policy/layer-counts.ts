/** How many vulnerabilities each layer of an image brought. */
import { severityOf } from './verdict.ts';
import { SEVERITIES, type SeverityCounts, type Vulnerability } from './vulnerability.ts';

export const NO_FINDINGS: SeverityCounts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

/**
 * By the digest of the layer. A vulnerability counts once in each layer that brought a package with
 * it, under the worst severity of those packages.
 */
export function countsByLayer(
  vulnerabilities: readonly Pick<Vulnerability, 'severity' | 'packages'>[],
): Map<string, SeverityCounts> {
  const counts = new Map<string, SeverityCounts>();
  for (const found of vulnerabilities) {
    for (const layer of new Set(found.packages.map(({ layerDigest }) => layerDigest))) {
      if (layer === null) continue;
      const inLayer = found.packages.filter(({ layerDigest }) => layerDigest === layer);
      const severities = inLayer.map((each) => severityOf(found, each));
      const worst = SEVERITIES.find((each) => severities.includes(each)) ?? found.severity;
      const before = counts.get(layer) ?? NO_FINDINGS;
      counts.set(layer, { ...before, [worst]: before[worst] + 1 });
    }
  }
  return counts;
}
