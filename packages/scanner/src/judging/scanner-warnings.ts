/**
 * Trivy's warnings on standard error. It ends with success where it could not read a package or
 * compare a version, and only a warning says so. A warning that is not in the table counts as such.
 */
import { OUTPUT_LIMIT } from '../process/run.ts';

/**
 * Warnings after which nothing is missing, or after which another gap says so (Trivy 0.74.0).
 */
export const HARMLESS_WARNINGS: ReadonlySet<string> = new Set([
  // Coverage decides these by the release, the packages and their types.
  'This OS version is not on the EOL list',
  'This OS version is no longer supported by the distribution',
  'The vulnerability detection may be insufficient because security updates are not provided',
  "No OS package is detected. Make sure you haven't deleted any files that contain information about the installed packages.",
  'e.g. files under "/lib/apk/db/", "/var/lib/dpkg/" and "/var/lib/rpm"',
  'Unsupported os',
  'Conda package is supported for SBOM, not for vulnerability scanning',
  'The library type is not supported for vulnerability scanning',
  // The finding is in the report, rated by another source or not at all.
  'Unable to get vulnerability details (CVE may be rejected)',
  'Using severities from other vendors for some vulnerabilities.',
  // Of licences, checksums and what depends on what.
  'Unable to collect additional info',
  'Unable to get checksum',
  'Unable to marshal SPDX licenses',
  'Unable to calculate SPDX licenses ID',
  'Unable to parse SPDX license file',
  'Unable to parse SPDX exception file',
  'Unsupported hash algorithm',
  'Failed to calculate the package hash',
  'Unable to parse Cargo.toml to identify direct dependencies',
  'Unable to find matching Cargo.toml files',
  'Unable to match Cargo version',
  // A bill of materials in the image adds packages and hides none.
  'Third-party SBOM may lead to inaccurate vulnerability detection',
  'Recommend using Trivy to generate SBOMs',
  'Failed to clean the artifact',
]);

/**
 * Warnings that Trivy repeats in each scan. All others come from the analysis of a layer, and are
 * silent where the analysis is in the cache.
 */
export const REPEATED_WARNINGS: ReadonlySet<string> = new Set([
  'Version matching error',
  'Mixing Alpine versions is unsupported',
  'Some OS packages were skipped due to mismatched PURL namespace',
]);

export interface ScannerWarnings {
  /** In Trivy's words: the first of each. */
  messages: string[];
  /** The analyses that the scan made must not be used by another one. */
  fromAnalysis: boolean;
}

const LINE = /^\S+\t(?:WARN|ERROR)\t(?:\[[\w-]+\] )?([^\t\n]*)(.*)$/gm;
const MAX_MESSAGES = 5;
const MAX_LENGTH = 200;

export function readWarnings(stderr: string): ScannerWarnings {
  const found = new Map<string, string>();
  for (const [, text = '', attributes = ''] of stderr.matchAll(LINE))
    if (!isHarmless(text) && !found.has(text)) found.set(text, clean(`${text} ${attributes}`));
  // The beginning was dropped, and with it warnings that may not be harmless.
  if (stderr.length >= OUTPUT_LIMIT) found.set('', 'more warnings than are kept');
  return {
    messages: [...found.values()].slice(0, MAX_MESSAGES),
    fromAnalysis: [...found.keys()].some((text) => !REPEATED_WARNINGS.has(text)),
  };
}

function isHarmless(text: string): boolean {
  return (
    HARMLESS_WARNINGS.has(text) || HARMLESS_WARNINGS.has(text.replace(/ Read http\S+ .*$/, ''))
  );
}

/** It may quote names from the image. */
function clean(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
}
