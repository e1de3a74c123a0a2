import type {
  GateExposure,
  ReportFacts,
  ScanReport,
  Severity,
  SeverityCounts,
  SignatureFacts,
  VulnerabilityOrder,
} from '@portcullis/domain';
import type { RunningCounts } from '../clusters/records.ts';

/**
 * Trivy's analyses of layers and configurations, by the keys of its cache in Redis, and what a
 * re-match of an image needs besides them.
 */
export interface StoredAnalysis {
  key: string;
  /** The layer that it is of; null for a configuration. */
  diffId: string | null;
  /** Compressed. */
  content: Uint8Array;
}

export interface StoredImageAnalysis {
  digest: string;
  /** Of the scanner and its rules. */
  profile: string;
  /** The scanner's own document. */
  image: object;
  /** The analyses that it consists of. */
  keys: string[];
  /** Hashes of its packages' names, four bytes each; null where they are unknown. */
  packages: Uint8Array | null;
}

export interface StoredReport {
  digest: string;
  report: ScanReport;
  scannedAt: Date;
}

/** What is known of a digest, without its report: enough for a standing. */
export interface DigestFacts {
  /** The newest report; null before the first scan ended. */
  report: {
    facts: ReportFacts;
    counts: SeverityCounts;
    scannedAt: Date;
    scanner: { name: string; version: string };
  } | null;
  /**
   * The repositories whose newest requested scan failed, after the report if there is one. `all`:
   * there is no report, and a scan in the background failed.
   */
  failedScanIn: 'all' | readonly string[];
  /** When this installation first saw the digest; null where it is unknown. */
  sightedAt: Date | null;
  /** Null where its signatures were not asked for yet. */
  signatures: SignatureFacts | null;
}

export interface ImageFinding {
  repository: string;
  folder: string;
  digest: string;
  /** The first twenty, sorted by name. */
  tags: string[];
  /** Of the image in this repository. */
  tagCount: number;
  vulnerability: string;
  severity: Severity;
  package: string;
  installedVersion: string;
  fixedVersion: string | null;
  scannedAt: Date;
}

export interface FindingFilter {
  /** Folders whose repositories are searched. */
  folders: 'all' | readonly string[];
  vulnerability?: string | undefined;
  package?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ImageScan {
  id: string;
  registryId: string;
  repository: string;
  reference: string;
  digest: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  /** The fence of writes; it never decreases. */
  attempts: number;
  /** The attempts that count against the limit, including this one. */
  tries: number;
  error: { code: string; message: string } | null;
  requestedById: string;
  requestedBy: string;
  /** Of the API request that asked for it. */
  requestId: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export type DueScan = Pick<ImageScan, 'id' | 'attempts'>;

export interface RematchData extends ScanData {
  /** Of the scanner and its rules: images with another one's analyses are scanned. */
  profile: string;
}

export interface Rematch {
  /** Fences every later write. */
  attempts: number;
}

export interface DueRematch {
  digest: string;
  /** The database of its report, as the scanner wrote it. */
  dbUpdatedAt: string | null;
}

/** What happened to images. */
export interface RematchCounts {
  /** They were compared with the database. */
  matched: number;
  /** Of these, their report is another one now. */
  changed: number;
  /** None of their packages changed in the database. */
  skipped: number;
  /** They have to be scanned. */
  failed: number;
  /** Duration, without pauses. */
  workedMs: number;
}

export interface RematchProgress extends RematchCounts {
  /** Of the database that the images are compared with. */
  dbUpdatedAt: Date;
  isRunning: boolean;
  startedAt: Date;
  /** When an image was compared last. */
  renewedAt: Date;
}

/** The database versions that a scan would use now. */
export interface ScanData {
  /** Date of the advisories. */
  dbUpdatedAt: Date;
  /** When the index of Java archives was installed; null where there is none. */
  javaSince: Date | null;
}

export interface Rescan {
  digest: string;
  /** One of the repositories that have the digest under a tag. */
  repository: string;
  /** Fences every later write. */
  attempts: number;
}

export interface RescanProgress {
  /** Their newest scan used these advisories. */
  done: number;
  left: number;
  /** All tries failed; the next update tries them again. */
  failed: number;
}

export interface FoundVulnerability {
  id: string;
  /** The worst of its findings. */
  severity: Severity;
  /** Null where no report states it. */
  title: string | null;
  /** The first ten by name. */
  packages: string[];
  /** The first ten; empty where no package has one. */
  fixedVersions: string[];
  /** Repositories that have it, each digest of a repository once. */
  images: number;
  /** The first fifty by name. */
  folders: string[];
  /**
   * The first scan of these images that found it, or when any tagged image was first judged to
   * have it, if that was earlier.
   */
  firstSeenAt: Date;
  /** Where any image of the folders with it runs, tagged or not; null where none is known. */
  running: RunningCounts | null;
}

/** Whose a folder is; names in their order. */
export interface FolderOwners {
  folder: string;
  /** Groups that may push to it. */
  teams: string[];
  /** All accounts that may push to it. */
  owners: string[];
  /** Of these, people that are no reviewers, and robots. */
  people: string[];
  robots: string[];
  /** People that decide about its images. */
  reviewers: string[];
}

export interface ExposureFilter extends Pick<FindingFilter, 'folders' | 'limit' | 'cursor'> {
  /** The id of the vulnerability. */
  id: string;
}

/** How many tagged images are in a state. */
export interface ExposureCount {
  state: GateExposure;
  images: number;
  tags: number;
  /** How many of the images a privilege brought in although they were blocked. */
  bypassed: number;
}

/** An image of a repository with one vulnerability. */
export interface AffectedImage extends Omit<ImageFinding, keyof FoundPackage | 'vulnerability'> {
  /** As it was announced last. */
  state: GateExposure;
  /** Whether this vulnerability is among those that block it. */
  blocks: boolean;
  /** Until when it is served although it is blocked. */
  graceUntil: Date | null;
  packages: (Omit<FoundPackage, 'package'> & { name: string })[];
  /** The newest push of it to this repository that a privilege allowed although it was blocked. */
  letIn: { by: string | null; reason: string | null; at: Date } | null;
  /** To the hour. */
  lastPull: { at: Date; by: string | null } | null;
  /** Where the image, or one that it lists, runs; null where none is known. */
  running: RunningCounts | null;
}

type FoundPackage = Pick<
  ImageFinding,
  'package' | 'severity' | 'installedVersion' | 'fixedVersion'
>;

export interface StagedImage {
  jobId: string;
  image: string;
  tag: string;
  digest: string;
  /** A username. */
  owner: string;
  createdAt: Date;
  /** How many there are, of which this list may have the first ones. */
  all: number;
}

export interface VulnerabilityFilter {
  /** Folders whose repositories are read. */
  folders: 'all' | readonly string[];
  /** The whole id. */
  id?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** A part of the id or of a package's name, in upper or lower case. */
  text?: string | undefined;
  severity?: Severity | undefined;
  /** Whether any of its packages has a fixed version. */
  fixable?: boolean | undefined;
  /** Only images of this folder. */
  folder?: string | undefined;
  /** First seen at this time or later. */
  since?: Date | undefined;
  /** By default those of the highest score first. */
  sort?: VulnerabilityOrder | undefined;
  /**
   * By id, for the orders by risk and by EPSS; none for the others. What has no score is below
   * those that have one.
   */
  scores?: ReadonlyMap<string, number> | undefined;
  limit?: number | undefined;
  /** For exports: the size of their pages, in place of `limit`. */
  batch?: number | undefined;
  cursor?: string | undefined;
}

/** Scans of one repository. */
export interface ScanFilter {
  registryId: string;
  repository: string;
  /** Only those that have not ended. */
  isOpen?: boolean;
  limit?: number | undefined;
  cursor?: string | undefined;
}
