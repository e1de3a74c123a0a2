import { join } from 'node:path';

/**
 * Paths of the scanner's files under DATA_DIR. All of them can be deleted while nothing runs; they
 * are created again.
 */
export interface ScannerPaths {
  root: string;
  /** The state file of the binary, see state.ts. */
  state: string;
  /** One directory per version of the vulnerability database, and the link `current`. */
  databases: string;
  current: string;
  /** Why the last update failed, see database-failure.ts. */
  databaseFailure: string;
  /** Private directories of running scans. */
  runs: string;
  /** Those of processes that stay for the next scan. */
  residents: string;
  /** Cached facts about layers, see layer-cache.ts. */
  layers: string;
  /** An empty index of Java archives, used until the real one is downloaded. */
  emptyJava: string;
  /** Progress of the download of the Java index, see java-state.ts. */
  javaDownload: string;
}

export function scannerPaths(dataDir: string): ScannerPaths {
  const root = join(dataDir, 'trivy');
  const databases = join(root, 'db');
  return {
    root,
    state: join(root, 'scanner.json'),
    databases,
    current: join(databases, 'current'),
    runs: join(root, 'runs'),
    residents: join(root, 'residents'),
    layers: join(root, 'layers'),
    databaseFailure: join(root, 'database-failure.json'),
    javaDownload: join(root, 'java-download.json'),
    emptyJava: join(root, 'empty-java-index'),
  };
}
