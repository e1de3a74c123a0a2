/**
 * Scans a tagged image of the built-in registry again, in the background. Layers that Trivy has
 * analysed are skipped; others are downloaded to a scratch cache that is removed afterwards.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ScanPolicy } from '@portcullis/domain';
import { isAppError, unavailable } from '@portcullis/errors';
import { type CopyOptions, copy, type Digest, parseDigest, type Source } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import type { Rescan } from '@portcullis/store';
import { firstOf } from '../../lazy/first-of.ts';
import { type FindSkippableLayers, omitting } from '../../lazy/skippable-layers.ts';
import type { ScannerService } from '../../stages/scan/scanner-service.ts';
import { type RecordPorts, recordScan } from './record-report.ts';

export interface RescanPorts extends RecordPorts {
  open(repository: string): Source;
  /** Every repository that has the digest. */
  holders(digest: string): Promise<string[]>;
  scannerService: Pick<ScannerService, 'missing' | 'scanLayout'>;
  skippableLayers: FindSkippableLayers;
  policy(): Promise<ScanPolicy>;
  /** Parent of the scratch directories. */
  scansDir: string;
  concurrency: number;
  maxManifestBytes: number;
}

export async function rescanImage(
  rescan: Rescan,
  ports: RescanPorts,
  signal: AbortSignal,
): Promise<void> {
  const missing = await ports.scannerService.missing();
  if (missing !== null) throw unavailable('SCANNER_UNAVAILABLE', missing);
  const dir = path.join(ports.scansDir, randomUUID());
  const digest = parseDigest(rescan.digest);
  try {
    const image = { source: await openAll(rescan, ports), digest };
    const result = await scanFromRegistry(image, ports, { dir, signal });
    await recordScan(digest, result, ports);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * What one repository has of an index, another one may lack: a mirror brings in platforms one by
 * one. The report is about all of it that is here.
 */
async function openAll({ digest, repository }: Rescan, ports: RescanPorts): Promise<Source> {
  const others = (await ports.holders(digest)).filter((name) => name !== repository);
  const [first, ...rest] = [repository, ...others].map(ports.open);
  return first && rest.length > 0 ? firstOf([first, ...rest]) : ports.open(repository);
}

interface Scratch {
  dir: string;
  signal: AbortSignal;
}

async function scanFromRegistry(
  { source, digest }: { source: Source; digest: Digest },
  ports: RescanPorts,
  { dir, signal }: Scratch,
) {
  const { concurrency, maxManifestBytes } = ports;
  const options: CopyOptions = { concurrency, maxManifestBytes, signal, skipAbsent: true };
  const cache = openBlobCache(path.join(dir, 'blobs'));
  const layoutIn = (name: string) => openLayout(path.join(dir, name), cache);
  const { timeoutSeconds } = await ports.policy();
  const manifests = await layoutIn('manifests');
  const { absent } = await copy(source, digest, manifests, { ...options, manifestsOnly: true });
  const scan = (name: string) =>
    ports.scannerService.scanLayout(path.join(dir, name), {
      digest,
      absent: { digests: new Set(absent), areNowhere: true },
      timeoutSeconds,
      signal,
      inBackground: true,
    });

  // No proof of possession: the built-in registry has the blobs of its manifests.
  const skipped = await ports.skippableLayers({ manifests, source, skipProof: true, signal });
  await copy(source, digest, omitting(skipped, await layoutIn('sparse')), options);
  try {
    return await scan('sparse');
  } catch (error) {
    if (skipped.size === 0 || !isAppError(error) || error.code !== 'SCAN_LAYOUT_INVALID')
      throw error;
  }
  await copy(source, digest, await layoutIn('whole'), options);
  return scan('whole');
}
