/**
 * A scan on demand: downloads the image for the scan alone, with the rights of the requesting
 * account now.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ScanPolicy } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import { copy, parseDigest } from '@portcullis/oci';
import { openLayout } from '@portcullis/oci/layout';
import type { ImageScan, Store } from '@portcullis/store';
import type { JobRegistries } from '../../stages/registries.ts';
import type { ScannerService } from '../../stages/scan/scanner-service.ts';
import type { Disk } from '../../storage/disk.ts';

export interface ScanImagePorts {
  source: JobRegistries['source'];
  cache: Disk['cache'];
  /** Not in the staging directory, where it would look like an orphan. */
  scansDir: string;
  scannerService: Pick<ScannerService, 'missing' | 'scanLayout'>;
  policy(): Promise<ScanPolicy>;
  reports: Pick<Store['reports'], 'record'>;
  concurrency: number;
  maxManifestBytes: number;
  now(): Date;
}

export async function scanImage(
  { id, requestedById, registryId, repository, digest: text }: ImageScan,
  ports: ScanImagePorts,
  signal: AbortSignal,
): Promise<void> {
  const missing = await ports.scannerService.missing();
  if (missing !== null) throw unavailable('SCANNER_UNAVAILABLE', missing);
  const { concurrency, maxManifestBytes } = ports;
  const digest = parseDigest(text);
  const source = { kind: 'registry', registryId, host: '' } as const;
  const image = await ports.source({ id, ownerId: requestedById, image: repository, source });
  const dir = path.join(ports.scansDir, id);
  try {
    const layout = await openLayout(dir, ports.cache);
    const options = { concurrency, maxManifestBytes, signal, skipAbsent: true };
    const { absent } = await copy(image, digest, layout, options);
    const { timeoutSeconds } = await ports.policy();
    const { report, parts } = await ports.scannerService.scanLayout(dir, {
      digest,
      absent: { digests: new Set(absent), areNowhere: false },
      timeoutSeconds,
      signal,
    });
    const covers = absent.length > 0 ? 'excerpt' : 'whole';
    await ports.reports.record({ digest, report, scannedAt: ports.now() }, parts, { covers });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
