/** Describes what is stored of the tags of mirrors. */
import type { StagingJob } from '@portcullis/domain';
import type { BringIn, MirrorTag } from '@portcullis/domain/mirror';

/** A reference in a repository of a mirror: a tag or a digest. */
export interface MirrorReference {
  repository: string;
  reference: string;
}

/** What is known of a reference. */
export interface KnownReference {
  /** The digest that it leads to here; null where it is not here. */
  here: string | null;
  /** Null where no check was kept. */
  tag: MirrorTag | null;
  /** The job that brings in the digest of the upstream. */
  job: (BringIn & Pick<StagingJob, 'verdict'>) | null;
}

/** A tag whose check is due. */
export interface DueMirrorTag extends MirrorReference {
  folder: string;
}
