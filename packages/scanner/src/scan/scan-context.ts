/** What is to be scanned, and with what. */
import type { Digest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { LayerThreads } from '../layers/layer-threads.ts';
import type { RecentLayers } from '../layers/recent-layers.ts';
import type { Residents } from '../process/residents.ts';
import type { Analyses } from '../rematch/analyses.ts';
import type { Advisories } from '../reports/advisories.ts';
import type { Invocation } from './cli.ts';
import type { ScanSubject } from './select.ts';
import type { ScanBasis } from './stored-scan.ts';

export interface ScanRequest {
  layoutDir: string;
  targets: ScanSubject[];
  timeoutSeconds: number;
  /** Where the full reports are stored for `exportReport`; omitted to store none. */
  reportDir?: string | undefined;
  absent?: AbsentManifests | undefined;
}

/** What an index lists and the layout does not have: it is not judged. */
export interface AbsentManifests {
  digests: ReadonlySet<Digest>;
  /**
   * No other scan of the index can see them, as nothing here has them. Otherwise what is learned
   * about the index is not kept for other scans.
   */
  areNowhere: boolean;
}

export interface ScanContext extends Invocation {
  /** Trivy that stays for the next scan. */
  residents: Pick<Residents, 'run' | 'prepare'>;
  redisUrl?: string | undefined;
  /** The durable copy of what Redis caches. */
  analyses?: Analyses | undefined;
  /** Where what reports say about vulnerabilities is kept. */
  advisories?: Advisories | undefined;
  version: string;
  /** Key under which the result is stored; null where Trivy's version is unknown. */
  basis: ScanBasis | null;
  dbUpdatedAt: string | null;
  /** Cache of facts about layers. */
  layersDir: string;
  threads: LayerThreads;
  recent: RecentLayers;
  /** The releases that the database has advisories for; null where the list cannot be read. */
  buckets: ReadonlySet<string> | null;
  /** An empty index of Java archives. */
  emptyJava: string;
  /** Bound on one image's unpacked size. */
  maxUnpackedBytes: number;
  log: Logger;
}

/** Of one image: all have one deadline. */
export interface ImageContext extends ScanContext {
  deadline: number;
}
