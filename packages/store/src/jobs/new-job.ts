/** A job that is inserted, and the reference to one. */
import type {
  JobDestination,
  JobSource,
  ReferrerChoice,
  ScanOverrides,
  StagingJob,
} from '@portcullis/domain';
import type { Credentials } from '../images/records.ts';

export interface NewJob {
  /** Given by the caller where it also names a directory; generated otherwise. */
  id?: string;
  ownerId: string;
  image: string;
  tag: string;
  /** What it reads at the source, where that is known already; by default what the tag leads to. */
  sourceDigest?: string | null;
  source: JobSource;
  platforms?: 'all' | string[];
  keepIndex?: boolean;
  overrides?: ScanOverrides;
  auto?: boolean;
  transferId?: string | null;
  withReferrers?: ReferrerChoice;
  destination?: JobDestination | null;
  pushes?: StagingJob['pushes'];
  sourceCredentials?: Credentials | null;
}

/** What is needed to dispatch a job's next stage. */
export type JobRef = Pick<StagingJob, 'id' | 'status' | 'ownerId' | 'fence' | 'storageId'>;
