/**
 * Stored scan results by digest, so that the same content is not scanned again while the result
 * cannot differ. They are in the directory of the database that they were made with, and are
 * removed with it; below that they are keyed by the other inputs (`ScanBasis`).
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanResult } from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';
import { linkOrCopy } from '@portcullis/oci/layout';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { ArtifactReport, FullReport } from '../reports/full-report.ts';

/** Raise this when a report changes: Trivy's flags in cli.ts, the rules in judging/, report.ts. */
export const PROFILE = 8;

const Kept = z.object({
  scannedAt: z.coerce.date(),
  report: FullReport,
  parts: z.array(z.object({ digest: z.string(), report: z.union([FullReport, ArtifactReport]) })),
});
export type StoredScan = z.infer<typeof Kept>;

const SCAN = 'scan.json';

/** What the result of a scan depends on besides the content. */
export interface ScanBasis {
  databaseDir: string;
  scannerVersion: string;
}

function reportsDir(databaseDir: string): string {
  return join(databaseDir, 'reports');
}

function dirOf({ databaseDir, scannerVersion }: ScanBasis, digest: Digest): string {
  return join(reportsDir(databaseDir), `${scannerVersion}-${PROFILE}`, digest.replace(':', '-'));
}

/**
 * Only complete reports by the expected Trivy version are stored. Of two concurrent scans the first
 * wins: both say the same.
 */
export async function storeScan(
  basis: ScanBasis,
  digest: Digest,
  { report, parts, reportDir }: ScanResult & { reportDir: string },
): Promise<void> {
  if (report.coverage !== 'full' || report.scanner.version !== basis.scannerVersion) return;
  const dir = dirOf(basis, digest);
  const draft = `${dir}.${randomUUID()}`;
  try {
    if (!(await linkAll(reportDir, draft))) return;
    await writeFile(join(draft, SCAN), JSON.stringify({ scannedAt: new Date(), report, parts }));
    await rename(draft, dir);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Whether `findStoredScan` would probably return a scan. */
export async function hasStoredScan(basis: ScanBasis, digest: Digest): Promise<boolean> {
  return (await stat(join(dirOf(basis, digest), SCAN)).catch(() => null)) !== null;
}

/**
 * Returns the stored scan and links its full reports into `reportDir`, as the scan itself would
 * have; null where there is none.
 */
export async function findStoredScan(
  basis: ScanBasis,
  digest: Digest,
  reportDir: string,
): Promise<StoredScan | null> {
  const dir = dirOf(basis, digest);
  try {
    const kept = Kept.parse(JSON.parse(await readFile(join(dir, SCAN), 'utf8')));
    await rm(reportDir, { recursive: true, force: true });
    if (!(await linkAll(dir, reportDir))) return null;
    await rm(join(reportDir, SCAN));
    return kept;
  } catch (error) {
    // The database was removed meanwhile, or the result is incomplete: the image is scanned again
    // and the result replaced.
    if (!hasCode(error, 'ENOENT') && !(error instanceof z.ZodError || error instanceof SyntaxError))
      throw error;
    await rm(dir, { recursive: true, force: true });
    return null;
  }
}

/** Removes results of images that may never be pulled again while the database stays the same. */
export async function removeStoredScans(databaseDir: string, before: Date): Promise<void> {
  const root = reportsDir(databaseDir);
  for (const basis of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, basis))) {
      const path = join(root, basis, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { recursive: true, force: true });
    }
  }
}

/** Returns false where one of the files is gone. */
async function linkAll(from: string, to: string): Promise<boolean> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    if (!(await linkOrCopy(join(from, name), join(to, name)))) return false;
  }
  return true;
}
