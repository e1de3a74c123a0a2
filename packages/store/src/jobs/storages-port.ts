/** What a disk has, in bytes; work waits while less than `reserve` is free. */
export interface StorageDisk {
  total: number;
  free: number;
  reserve: number;
}

/** What a storage has to scan with. */
export interface StorageScanner {
  binary: 'acquiring' | 'ready' | 'unavailable';
  version: string | null;
  /** For people: what is going on, or what to do. */
  message: string;
  /** A scan can run. */
  available: boolean;
  database: {
    updatedAt: string;
    nextUpdate: string;
    source: string | null;
    javaUpdatedAt: string | null;
    javaDownloadedAt: string | null;
  } | null;
  /** The newest download of the index of Java archives. */
  javaDownload: {
    state: 'downloading' | 'failed' | 'done';
    bytes: number;
    message: string | null;
    at: string;
  } | null;
}

export interface StorageState {
  disk: StorageDisk;
  scanner: StorageScanner;
}

/** A DATA_DIR that workers use. */
export interface Storage {
  id: string;
  /** Null until a worker told it. */
  state: StorageState | null;
  /** Whether a worker lives that uses it. */
  isAlive: boolean;
  seenAt: Date;
}

/** A directory of a job that is gone. */
export interface Orphan {
  jobId: string;
  size: number;
  files: number;
  modifiedAt: Date;
  removable: boolean;
}

export interface FoundOrphans {
  items: Orphan[];
  /** There may be more. */
  complete: boolean;
}

export interface Storages {
  /** A worker tells that it uses it; with `state`, what it is like now. */
  beat(id: string, state?: StorageState): Promise<void>;
  /** The one that was seen last first. */
  list(): Promise<Storage[]>;
  /** What a worker found of directories without a job. */
  keepOrphans(id: string, found: FoundOrphans): Promise<void>;
  /** When it is now in the database, and what was found since; null of a storage where nothing was. */
  orphans(since?: Date): Promise<{ now: Date; found: Map<string, FoundOrphans> }>;
  /** Forgets those that no worker has used since, and gives their ids. */
  removeUnseen(since: Date): Promise<string[]>;
}
