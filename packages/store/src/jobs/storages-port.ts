/** Disk figures in bytes; work waits while less than `reserve` is free. */
export interface StorageDisk {
  total: number;
  free: number;
  reserve: number;
}

export interface StorageScanner {
  /** `building`: it is compiled, which takes minutes more than a download. */
  binary: 'acquiring' | 'building' | 'ready' | 'unavailable';
  version: string | null;
  /** Shown to people: what is happening, or what to do. */
  message: string;
  available: boolean;
  database: {
    updatedAt: string;
    nextUpdate: string;
    source: string | null;
    javaUpdatedAt: string | null;
    javaDownloadedAt: string | null;
  } | null;
  /** Why the last update of the database failed. */
  databaseFailure: { code: string; message: string } | null;
  /** The latest download of the index of Java archives. */
  javaDownload: {
    state: 'downloading' | 'failed' | 'done';
    bytes: number;
    /** Why it failed. */
    code: string | null;
    message: string | null;
    at: string;
  } | null;
}

/** Why work that writes to a disk waits, by a code and in English. */
export interface DiskFault {
  code: string;
  message: string;
}

export interface StorageState {
  disk: StorageDisk;
  /** The disk of the built-in registry's storage; null for a worker that does not have it. */
  registryDisk: StorageDisk | null;
  /** Why the worker cannot write to it; null where it can. */
  fault: DiskFault | null;
  scanner: StorageScanner;
}

/** A DATA_DIR that workers use. */
export interface Storage {
  id: string;
  /** Null until a worker has reported it. */
  state: StorageState | null;
  /** Whether a live worker uses it. */
  isAlive: boolean;
  seenAt: Date;
}

/** A directory of a job that no longer exists. */
export interface Orphan {
  jobId: string;
  size: number;
  files: number;
  modifiedAt: Date;
  removable: boolean;
}

export interface FoundOrphans {
  items: Orphan[];
  /** False where there may be more. */
  complete: boolean;
}

export interface Storages {
  /** A worker reports that it uses the storage and, with `state`, the storage's state. */
  beat(id: string, state?: StorageState): Promise<void>;
  /** Most recently seen first. */
  list(): Promise<Storage[]>;
  /** Stores the directories without a job that a worker found. */
  keepOrphans(id: string, found: FoundOrphans): Promise<void>;
  /**
   * The database's current time, and the orphans found since; null for a storage without any
   * result.
   */
  orphans(since?: Date): Promise<{ now: Date; found: Map<string, FoundOrphans> }>;
  /** Removes storages that no worker has used since, and returns their ids. */
  removeUnseen(forMs: number): Promise<string[]>;
}
