/**
 * What a scan found, kept by the digest it was of, so that the same content isn't scanned again before something else
 * could be found in it. It lies in the directory of the database that it was made with, and goes with that; beneath, by
 * what else it rests on.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanReport } from '@portcullis/domain';
import type { Digest } from '@portcullis/oci';
import { linkOrCopy } from '@portcullis/oci/layout';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { FullReport } from '../reports/full-report.ts';

/** To be raised with whatever changes what a report says: the scanner's flags in cli.ts, coverage.ts, report.ts. */
export const PROFILE = 5;

const Kept = z.object({ scannedAt: z.coerce.date(), report: FullReport });
export type KeptScan = z.infer<typeof Kept>;

const SCAN = 'scan.json';

/** What a scan rests on besides the content. */
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

/** Only what says all there is to say, by the scanner that we believe to have. Of the first of two, as both say the same. */
export async function keepScan(
  basis: ScanBasis,
  digest: Digest,
  { report, reportDir }: { report: ScanReport; reportDir: string },
): Promise<void> {
  if (report.coverage !== 'full' || report.scanner.version !== basis.scannerVersion) return;
  const dir = dirOf(basis, digest);
  const draft = `${dir}.${randomUUID()}`;
  try {
    if (!(await linkAll(reportDir, draft))) return;
    await writeFile(join(draft, SCAN), JSON.stringify({ scannedAt: new Date(), report }));
    await rename(draft, dir);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Whether `recallScan` is likely to find one. */
export async function isKept(basis: ScanBasis, digest: Digest): Promise<boolean> {
  return (await stat(join(dirOf(basis, digest), SCAN)).catch(() => null)) !== null;
}

/** The kept scan, its full reports laid into `reportDir` as the scan itself would have; null where there is none. */
export async function recallScan(
  basis: ScanBasis,
  digest: Digest,
  reportDir: string,
): Promise<KeptScan | null> {
  const dir = dirOf(basis, digest);
  try {
    const kept = Kept.parse(JSON.parse(await readFile(join(dir, SCAN), 'utf8')));
    await rm(reportDir, { recursive: true, force: true });
    if (!(await linkAll(dir, reportDir))) return null;
    await rm(join(reportDir, SCAN));
    return kept;
  } catch (error) {
    // Its database went this moment, or it isn't whole: a scan is never wrong, and is kept in its place.
    if (!hasCode(error, 'ENOENT') && !(error instanceof z.ZodError || error instanceof SyntaxError))
      throw error;
    await rm(dir, { recursive: true, force: true });
    return null;
  }
}

/** Of images that came, and may never come again, while the database stayed the same. */
export async function forgetScans(databaseDir: string, before: Date): Promise<void> {
  const root = reportsDir(databaseDir);
  for (const basis of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, basis))) {
      const path = join(root, basis, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { recursive: true, force: true });
    }
  }
}

/** False where one of them is gone. */
async function linkAll(from: string, to: string): Promise<boolean> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    if (!(await linkOrCopy(join(from, name), join(to, name)))) return false;
  }
  return true;
}
