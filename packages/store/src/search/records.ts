/** Describes what a search finds. */
import type { Severity, StagingJob } from '@portcullis/domain';

export interface SearchOptions {
  /** In lower case; a part of a name. */
  text: string;
  limit: number;
}

export interface FoldersSearched extends SearchOptions {
  /** Folders whose repositories are read. */
  folders: 'all' | readonly string[];
}

export interface FoundRepository {
  name: string;
  /** The folder that governs it. */
  folder: string;
  tagCount: number;
}

export type FoundJob = Pick<
  StagingJob,
  'id' | 'image' | 'tag' | 'status' | 'verdict' | 'error' | 'createdAt'
>;

export interface FoundCve {
  id: string;
  /** The worst of its findings. */
  severity: Severity;
  /** Null where no report states it. */
  title: string | null;
}

export interface FoundAccount {
  id: string;
  username: string;
  email: string | null;
  disabled: boolean;
}

export interface FoundFolder {
  name: string;
  description: string;
}
