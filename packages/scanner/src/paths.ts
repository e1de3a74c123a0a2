import { join } from 'node:path';

/** What the scanner keeps under DATA_DIR: all of it can be deleted while nothing runs, and comes back. */
export interface ScannerPaths {
  root: string;
  /** The state of the binary, see state.ts. */
  state: string;
  /** One directory per version of the vulnerability database, and the link `current`. */
  databases: string;
  current: string;
  /** Private directories of running scans. */
  runs: string;
  /** What is known of layers, see layer-memory.ts. */
  layers: string;
  /** An empty index of Java archives, for scans until the real one is there. */
  emptyJava: string;
  /** How the download of the real one goes, see java-state.ts. */
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
    layers: join(root, 'layers'),
    javaDownload: join(root, 'java-download.json'),
    emptyJava: join(root, 'empty-java-index'),
  };
}
