/** For tests only: mirrors, and what is known of their tags. */
import type { StagingJob } from '../job/staging-job.ts';
import type { Mirror } from './mirror.ts';
import type { BringIn, MirrorTag } from './mirror-tag.ts';

export const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;

export const aMirror = (change: Partial<Mirror> = {}): Mirror => ({
  ...{ folderId: 'f', folder: 'docker.io', host: 'registry-1.docker.io', registryId: null },
  registryName: null,
  ...{ prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 },
  ...change,
});

export const aTag = (change: Partial<MirrorTag> = {}): MirrorTag => ({
  ...{ repository: 'docker.io/library/nginx', reference: '1', upstreamDigest: digestOf('a') },
  ...{ goodDigest: null, goodSource: null, ripeDigest: null, fault: null, jobId: null },
  ...{ requestedById: null, announced: null, isDue: false },
  ...change,
});

export const aBringIn = (
  change: Partial<BringIn & Pick<StagingJob, 'verdict'>> = {},
): BringIn & Pick<StagingJob, 'verdict'> => ({
  ...{ id: 'j', ownerId: 'u', status: 'pulling', error: null, digest: null, verdict: 'pending' },
  sourceDigest: digestOf('a'),
  updatedAt: new Date(0),
  ...change,
});
