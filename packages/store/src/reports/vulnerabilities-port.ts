/** The vulnerabilities of tagged images of the built-in registry, each counted over its images. */
import type { Severity, VulnerabilityOrder } from '@portcullis/domain';

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
  firstSeenAt: Date;
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
  /** By default the most severe first. */
  sort?: VulnerabilityOrder | undefined;
  /** EPSS probabilities by id, for the orders by them; others have none. */
  epss?: ReadonlyMap<string, number> | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface Vulnerabilities {
  list(
    filter: VulnerabilityFilter,
  ): Promise<{ items: FoundVulnerability[]; nextCursor: string | null }>;
  /** The ids of all that a judged image ever had. */
  known(): Promise<string[]>;
  /**
   * Usernames of the enabled accounts that may push to each of these folders, at most `limit` of a
   * folder.
   */
  owners(
    folders: readonly string[],
    limit: number,
  ): Promise<{ folder: string; owners: string[] }[]>;
}
