/** Describes what is stored of the tags of mirrors. */
import type { StagingJob } from '@portcullis/domain';
import type {
  BringIn,
  MirrorAttempt,
  MirrorTag,
  MirrorTagOrder,
  MirrorTagState,
  UpstreamFault,
} from '@portcullis/domain/mirror';

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

/** A tag that is here, and what was known of it when it was read. */
export interface KnownMirrorTag extends MirrorReference {
  folder: string;
  known: KnownReference;
}

/** A tag that leads to the same digest at the upstream as before, where no fault was kept. */
export interface ConfirmedTag extends MirrorReference {
  digest: string;
  dueSeconds: number;
}

export interface MirrorTagFilter {
  folder: string;
  state?: MirrorTagState | undefined;
  /** Parts of the repository's name or of the tag, case-insensitive. */
  q?: string | undefined;
  /** The most urgent first by default. */
  sort?: MirrorTagOrder | undefined;
  /** Starts at 1. */
  page: number;
  pageSize: number;
}

/** A tag of a mirror that is here, on its way or refused. */
export interface ListedMirrorTag {
  repository: string;
  tag: string;
  state: MirrorTagState;
  here: string | null;
  upstreamDigest: string | null;
  /** When `upstreamDigest` was first seen under any name. */
  seenAt: Date | null;
  /** Another digest of the upstream that was taken because it is old enough. */
  ripeDigest: string | null;
  fault: UpstreamFault | null;
  /** What is here was copied from another digest at the upstream. */
  reduced: boolean;
  /** When what is here passed; null for what was pushed. */
  goodAt: Date | null;
  checkedAt: Date | null;
  dueAt: Date;
  usedAt: Date;
  /** The job that brings in the digest of the upstream. */
  job:
    | (Pick<BringIn, 'id' | 'ownerId' | 'status' | 'error' | 'updatedAt'> &
        Pick<StagingJob, 'verdict'>)
    | null;
}

/** A pull of what is not here, to which the upstream named no digest. */
export interface NewMirrorAttempt extends MirrorReference {
  folderId: string;
  accountId: string;
  fault: UpstreamFault;
}

export interface ListedMirrorAttempt extends MirrorReference, MirrorAttempt {
  /** The name of the account that pulled. */
  account: string;
}

export interface MirrorFigures {
  tags: Record<MirrorTagState, number>;
  /** Tags whose image passed within seven days. */
  passedThisWeek: number;
}
