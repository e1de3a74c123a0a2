/** A staging job for tests: requested from Docker Hub and queued. */
import { NO_PROGRESS, type StagingJob } from '../job/staging-job.ts';

const T0 = new Date('2026-01-01T00:00:00Z');

export function jobFixture(change: Partial<StagingJob> = {}): StagingJob {
  return {
    id: 'j',
    ownerId: 'u',
    ownerName: 'u',
    status: 'pull_queued',
    image: 'library/alpine',
    tag: '3',
    source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
    platforms: 'all',
    keepIndex: false,
    digest: null,
    sourceDigest: null,
    sightedAt: null,
    mediaType: null,
    size: null,
    storageId: null,
    imageReleasedAt: null,
    progress: NO_PROGRESS,
    verdict: 'pending',
    vulnResult: null,
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    auto: false,
    pullMode: 'eager',
    transferId: null,
    withReferrers: false,
    destination: null,
    pushes: [],
    error: null,
    attempts: 0,
    fence: 0,
    cancelRequested: false,
    timeline: [],
    requestId: null,
    createdAt: T0,
    updatedAt: T0,
    finishedAt: null,
    ...change,
  };
}
