/** What stored scans say about an image of a registry: its report and its packages. */
import { findingsOnPlatform, type Principal } from '@portcullis/domain';
import { platformName } from '@portcullis/oci';
import type { StoredPackages } from '@portcullis/scanner';
import type { Store, StoredReport } from '@portcullis/store';
import type { ImageContent } from '../read-image.ts';
import type { OpenedRepository } from '../repositories.ts';

export interface StoredScansPorts {
  images: Pick<Store['images'], 'judged'>;
  reports: { find(digest: string): Promise<StoredReport | null> };
  packages(image: { scanned: string[]; digest: string }): Promise<StoredPackages>;
}

/** An image that was read for an account. */
interface ReadImage {
  opened: Pick<OpenedRepository, 'local'>;
  content: ImageContent;
  principal: Principal;
}

export interface StoredScans {
  report(image: ReadImage): Promise<StoredReport | null>;
  packages(image: ReadImage): Promise<StoredPackages>;
}

export function createStoredScans(ports: StoredScansPorts): StoredScans {
  const { images, reports, packages } = ports;

  /** Of the platform's manifest first: its own report may have been removed. */
  async function scannedDigests({ opened, content, principal }: ReadImage): Promise<string[]> {
    const root: string = content.root.digest;
    if (opened.local) return [...new Set([digestOfChosen(content), root])];
    // Another registry may claim any digest, and name any manifest in its index.
    const isOwn = principal.isAdmin || (await images.judged(root, principal.id)) !== null;
    return isOwn ? [root] : [];
  }

  return {
    async report(image) {
      const digest = digestOfChosen(image.content);
      for (const scanned of await scannedDigests(image)) {
        const found = await reports.find(scanned);
        if (found) return scanned === digest ? found : onPlatform(found, image.content);
      }
      return null;
    },
    async packages(image) {
      const scanned = await scannedDigests(image);
      return packages({ scanned, digest: digestOfChosen(image.content) });
    },
  };
}

function onPlatform(found: StoredReport, content: ImageContent): StoredReport {
  const platform = nameOfChosen(content);
  if (platform === null) return found;
  const vulnerabilities = findingsOnPlatform(found.report.vulnerabilities, platform);
  return { ...found, report: { ...found.report, vulnerabilities } };
}

/** Of the manifest whose layers are shown. */
export function digestOfChosen({ chosen, root }: ImageContent): string {
  return chosen?.digest ?? root.digest;
}

export function nameOfChosen({ chosen }: ImageContent): string | null {
  return chosen?.platform ? platformName(chosen.platform) : null;
}
