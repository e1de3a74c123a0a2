/** Describes what is stored of images that clusters run. */

/** How many were kept, and how many were not, because their cluster is one too many. */
export interface KeptRunning {
  kept: number;
  left: number;
}

/** An image of the built-in registry that stays although no tag need lead to it. */
export interface ImageInUse {
  repository: string;
  digest: string;
}

/** In how many places images run; a place is a namespace of a cluster. */
export interface RunningCounts {
  namespaces: number;
  clusters: number;
  /** Those of which a silent agent alone said so: it ran there when that one reported last. */
  silentNamespaces: number;
  /** When one of them was seen last. */
  seenAt: Date;
}

/** The same in JSON. */
export type FoundRunning = Omit<RunningCounts, 'seenAt'> & { seenAt: string };

/** Who said that an image runs. */
export type RunningSource = 'admission' | 'agent';

export interface RunningImage {
  repository: string;
  folder: string;
  digest: string;
  /** The first twenty that have the digest now. */
  tags: string[];
  cluster: string;
  namespace: string;
  source: RunningSource;
  seenAt: Date;
  /** Whether the agent that reported it is silent: it ran there then. */
  silent: boolean;
}

export interface RunningFilter {
  /** Folders whose repositories are read. */
  folders: 'all' | readonly string[];
  repository?: string | undefined;
  /** An image, or an index with the images that it lists. */
  digest?: string | undefined;
  vulnerability?: string | undefined;
  cluster?: string | undefined;
  namespace?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The whole of what a cluster runs of this registry. */
export interface ClusterReport {
  cluster: string;
  /** The account of the agent. */
  reporterId: string;
  /** Those that the account may pull from: of others the report says nothing. */
  folders: 'all' | readonly string[];
  /** How many images run there whose digest it could not name. */
  notKnown: number;
  images: readonly { namespace: string; repository: string; digest: string }[];
}

export interface ReportedCluster {
  name: string;
  reportedAt: Date;
}

export interface ClusterFacts {
  name: string;
  /** The account whose reports count; null: the next one that reports. */
  reporter: { id: string; name: string } | null;
  /** Null: no agent ever did. */
  reportedAt: Date | null;
  notKnown: number;
  /** Images by namespace, of the newest report. */
  reported: number;
  /** Images by namespace that the webhook admitted. */
  admitted: number;
}
