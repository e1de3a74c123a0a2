import { describe, expect, it } from 'vitest';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import { advance } from '../pipeline/staging.ts';
import type { JobStatus } from './job-status.ts';
import type { Outcome, Push } from './staging-job.ts';
import { isElsewhere, keptAt, queueOf, runsAt } from './storage.ts';

const NOW = new Date('2026-01-02T00:00:00Z');
const [HERE, THERE] = ['a', 'b'];

describe('the queue of a job’s next stage', () => {
  it.each<[string, JobStatus, string | null, ReturnType<typeof queueOf>]>([
    ['a new job is pulled by any worker', 'pull_queued', null, { stage: 'pull', storageId: null }],
    ['a job that is pulled again, too', 'pull_queued', HERE, { stage: 'pull', storageId: null }],
    ['also after a crash in the middle', 'pulling', HERE, { stage: 'pull', storageId: null }],
    [
      'a scan goes to the storage of the image',
      'scan_queued',
      HERE,
      { stage: 'scan', storageId: HERE },
    ],
    ['also after a crash of the scanner', 'scanning', HERE, { stage: 'scan', storageId: HERE }],
    [
      'a push goes to the storage of the image',
      'push_queued',
      HERE,
      { stage: 'push', storageId: HERE },
    ],
    ['also after a crash in the middle of it', 'pushing', HERE, { stage: 'push', storageId: HERE }],
    [
      'a job of a restored backup has no storage yet',
      'push_queued',
      null,
      { stage: 'push', storageId: null },
    ],
    ['a staged job waits for a person', 'staged', HERE, null],
    ['a failed one, too', 'failed', HERE, null],
  ])('%s', (_, status, storageId, expected) => {
    expect(queueOf({ status, storageId })).toEqual(expected);
  });
});

describe('a worker with the storage', () => {
  it.each<[string, JobStatus, string | null, boolean]>([
    ['pulls what another one had pulled', 'pull_queued', THERE, true],
    ['scans an image in its storage', 'scan_queued', HERE, true],
    ['does not scan an image in another storage', 'scan_queued', THERE, false],
    ['does not push an image in another storage', 'pushing', THERE, false],
    ['may take a job without a storage', 'push_queued', null, true],
    ['does nothing for a staged job', 'staged', HERE, false],
  ])('%s', (_, status, storageId, expected) => {
    expect(runsAt({ status, storageId }, HERE)).toBe(expected);
  });
});

describe('the copy of an image in a storage', () => {
  it.each<[string, JobStatus, string | null, boolean]>([
    ['stays while the job uses this storage', 'staged', HERE, false],
    ['stays while the job has none: a pull may be running', 'pulling', null, false],
    ['stays while the job is pulled again, perhaps here', 'pulling', THERE, false],
    ['can be removed once another storage has the image', 'scan_queued', THERE, true],
    ['can be removed once it was pushed from another one', 'pushed', THERE, true],
  ])('%s', (_, status, storageId, expected) => {
    expect(isElsewhere({ status, storageId }, HERE)).toBe(expected);
  });
});

describe('the storage of a job', () => {
  it.each<[string, Outcome, string | null]>([
    [
      'is where it was pulled',
      { kind: 'pulled', digest: 'sha256:a', sightedAt: new Date(0), mediaType: 'm', size: 1 },
      HERE,
    ],
    ['does not change with a scan that was skipped', { kind: 'scan_skipped' }, THERE],
    ['does not change while a pull waits', { kind: 'handed_back' }, THERE],
  ])('%s', (_, outcome, expected) => {
    expect(keptAt(jobFixture({ storageId: THERE }), outcome, HERE).storageId).toBe(expected);
  });
});

const PUSH: Push = {
  id: 'p',
  status: 'running',
  kind: 'local',
  registryId: null,
  host: 'local',
  repository: 'team/app',
  tag: '1',
  digest: null,
  bytesDone: 0,
  bytesTotal: 0,
  bytesMounted: 0,
  error: null,
  bypass: { allowed: true, reason: null },
  requestedById: 'u',
  requestedBy: 'u',
  createdAt: NOW,
  finishedAt: null,
};

describe('a job whose storage is lost', () => {
  const known = {
    digest: 'sha256:a',
    size: 7,
    verdict: 'findings' as const,
    storageId: THERE,
    attempts: 3,
  };

  it.each<JobStatus>(['scan_queued', 'scanning', 'push_queued', 'pushing'])(
    'is pulled again where it is %s, and keeps its digest and findings',
    (status) => {
      const lost = advance(
        jobFixture({ ...known, status, pushes: [PUSH] }),
        { kind: 'storage_lost' },
        NOW,
      );
      expect(lost).toMatchObject({
        status: 'pull_queued',
        storageId: null,
        digest: 'sha256:a',
        verdict: 'findings',
        attempts: 0,
        pushes: [{ status: 'queued' }],
        timeline: [{ status: 'pull_queued', kind: 'storage_lost' }],
      });
    },
  );

  it('continues with the waiting push', () => {
    const lost = advance(
      jobFixture({ ...known, status: 'pushing', pushes: [PUSH] }),
      { kind: 'storage_lost' },
      NOW,
    );
    const pulled = advance(
      lost,
      { kind: 'pulled', digest: 'sha256:a', sightedAt: new Date(0), mediaType: 'm', size: 7 },
      NOW,
    );
    expect(advance(pulled, { kind: 'scan_skipped' }, NOW)).toMatchObject({
      status: 'push_queued',
      pushes: [{ status: 'queued' }],
    });
  });

  it.each<JobStatus>(['pulling', 'staged', 'pushed', 'failed'])(
    'stays as it is where it is %s',
    (status) => {
      const job = jobFixture({ ...known, status });
      expect(advance(job, { kind: 'storage_lost' }, NOW)).toEqual(job);
    },
  );
});
