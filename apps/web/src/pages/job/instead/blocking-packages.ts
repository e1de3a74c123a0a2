/**
 * The packages whose findings block a job, those of the base image apart: other people mend those.
 * Which layers are the base's is a guess by the history of the image.
 */
import type { VulnResultView } from '@portcullis/contract';
import type { BlockingPackage } from '@portcullis/domain';
import { blockingOf } from '../review/blocking.ts';

interface BlockingPackages {
  /** Empty where no base image is known. */
  base: BlockingPackage[];
  own: BlockingPackage[];
}

export function blockingPackages(result: VulnResultView): BlockingPackages {
  const baseLayers = new Set(result.base_layers);
  const packages: BlockingPackages = { base: [], own: [] };
  for (const { id, packages: found } of blockingOf(result))
    for (const each of found) {
      if (!result.severities.includes(each.severity)) continue;
      const isBase = each.layer_digest !== null && baseLayers.has(each.layer_digest);
      packages[isBase ? 'base' : 'own'].push({
        id,
        package: each.name,
        installedVersion: each.installed_version,
        fixedVersion: each.fixed_version,
      });
    }
  return packages;
}

/** How many vulnerabilities block, and how many of them an update of each package clears. */
export function clearedByUpdates(result: VulnResultView): { blocking: number; fixable: number } {
  const { base, own } = blockingPackages(result);
  const all = [...Map.groupBy([...base, ...own], ({ id }) => id).values()];
  const fixable = all.filter((packages) => packages.every(({ fixedVersion }) => fixedVersion));
  return { blocking: all.length, fixable: fixable.length };
}
