import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from './settings.ts';
import {
  acceptsPush,
  advance,
  begin,
  JOB_STATUSES,
  type JobStatus,
  NO_PROGRESS,
  nextStage,
  type Outcome,
  type Push,
  requestPush,
  retry,
  type StagingJob,
  TIMELINE_NOTES,
  wantsBlobs,
} from './staging.ts';

const T0 = new Date('2026-01-01T00:00:00Z');
const T1 = new Date('2026-01-01T00:01:00Z');
const ERROR = { code: 'X', message: 'no', side: null, retryable: false };

function job(change: Partial<StagingJob> = {}): StagingJob {
  return {
    id: 'j',
    ownerId: 'u',
    ownerName: 'u',
    status: 'pull_queued',
    image: 'library/alpine',
    tag: '3',
    source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
    platforms: 'all',
    digest: null,
    mediaType: null,
    size: null,
    progress: NO_PROGRESS,
    verdict: 'pending',
    vulnResult: null,
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    auto: false,
    transferId: null,
    withReferrers: false,
    pushes: [],
    error: null,
    attempts: 0,
    fence: 0,
    cancelRequested: false,
    timeline: [],
    createdAt: T0,
    updatedAt: T0,
    finishedAt: null,
    ...change,
  };
}

function push(change: Partial<Push> = {}): Push {
  return {
    id: 'p',
    status: 'queued',
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
    requestedById: 'u',
    requestedBy: 'u',
    createdAt: T0,
    finishedAt: null,
    ...change,
  };
}

const STAGED = { digest: 'sha256:a', size: 1, verdict: 'clean' as const };
const CLEAN_REPORT = {
  coverage: 'full' as const,
  notes: [],
  os: null,
  targets: [],
  vulnerabilities: [],
  scanner: { name: 't', version: '1', dbUpdatedAt: null },
};

const LOW_FINDING = {
  id: 'CVE-1',
  severity: 'LOW' as const,
  title: null,
  cvssScore: null,
  cvssVector: null,
  cvssSource: null,
  primaryUrl: null,
  publishedAt: null,
  packages: [
    {
      name: 'p',
      installedVersion: '1',
      fixedVersion: null,
      status: 'affected',
      target: 't',
      path: null,
      purl: null,
      layerDigest: null,
      platform: null,
    },
  ],
};

describe('advance', () => {
  const scanned: Extract<Outcome, { kind: 'scanned' }> = {
    kind: 'scanned',
    report: CLEAN_REPORT,
    policy: DEFAULT_POLICY,
  };
  it.each<[string, StagingJob, Outcome, Partial<StagingJob>]>([
    [
      'a pulled image is to be scanned',
      job({ status: 'pulling' }),
      { kind: 'pulled', digest: 'sha256:a', mediaType: 'm', size: 5 },
      { status: 'scan_queued', digest: 'sha256:a', size: 5 },
    ],
    [
      'a pulled image that no scan is wanted of goes on to its push at once',
      job({ status: 'pulling', auto: true }),
      { kind: 'pulled', digest: 'sha256:a', mediaType: 'm', size: 5, unscanned: true },
      { status: 'push_queued', verdict: 'skipped', digest: 'sha256:a', size: 5 },
    ],
    [
      'a scanned image is staged with its verdict',
      job({ status: 'scanning' }),
      scanned,
      { status: 'staged', verdict: 'clean' },
    ],
    [
      'a report that is known is judged under the job’s own policy',
      job({
        status: 'scanning',
        overrides: { vulnScanEnabled: null, vulnSeverities: ['LOW'] },
      }),
      {
        ...scanned,
        report: { ...CLEAN_REPORT, vulnerabilities: [LOW_FINDING] },
        known: { scannedAt: T0 },
      },
      {
        status: 'staged',
        verdict: 'blocked',
        timeline: [{ at: T1, status: 'staged', note: expect.stringContaining('not scanned again') }],
      },
    ],
    [
      'a transfer’s goes on to its push',
      job({ status: 'scanning', auto: true }),
      scanned,
      { status: 'push_queued' },
    ],
    [
      'a skipped scan is staged as skipped',
      job({ status: 'scanning' }),
      { kind: 'scan_skipped' },
      { status: 'staged', verdict: 'skipped' },
    ],
    [
      'a scan that lacks layers sends its job back to the pull',
      job({ ...STAGED, status: 'scanning', verdict: 'pending', auto: true, attempts: 2 }),
      { kind: 'blobs_wanted' },
      { status: 'pull_queued', verdict: 'pending', digest: 'sha256:a', attempts: 0 },
    ],
    [
      'a failed scan is staged as error',
      job({ status: 'scanning' }),
      { kind: 'failed', error: ERROR },
      { status: 'staged', verdict: 'error' },
    ],
    [
      'a failed pull has failed',
      job({ status: 'pulling' }),
      { kind: 'failed', error: ERROR },
      { status: 'failed', error: ERROR },
    ],
    [
      'a cancelled pull is cancelled',
      job({ status: 'pulling', cancelRequested: true }),
      { kind: 'cancelled' },
      { status: 'cancelled', cancelRequested: false },
    ],
    [
      'a settled job is not cancelled',
      job({ status: 'pushed' }),
      { kind: 'cancelled' },
      { status: 'pushed' },
    ],
    [
      'a stage handed back is queued, the try not counted',
      job({ status: 'scanning', attempts: 1 }),
      { kind: 'handed_back' },
      { status: 'scan_queued', attempts: 0 },
    ],
    [
      'a stage that made room is queued, the try not counted',
      job({ status: 'pulling', attempts: 1 }),
      { kind: 'made_room' },
      { status: 'pull_queued', attempts: 0 },
    ],
    [
      'a stage put off is queued with its error',
      job({ status: 'pulling', attempts: 2 }),
      { kind: 'put_off', error: ERROR, seconds: 3 },
      { status: 'pull_queued', attempts: 2, error: ERROR },
    ],
  ])('%s', (_, from, outcome, expected) => {
    expect(advance(from, outcome, T1)).toMatchObject(expected);
  });

  it('a push ends in its own record', () => {
    const pushing = job({
      ...STAGED,
      status: 'pushing',
      pushes: [push({ id: 'old', status: 'done' }), push()],
    });
    const done = advance(pushing, { kind: 'pushed', digest: 'sha256:a', bytesMounted: 3 }, T1);
    expect(done.status).toBe('pushed');
    expect(done.pushes.map(({ id, status }) => [id, status])).toEqual([
      ['old', 'done'],
      ['p', 'done'],
    ]);
    const failed = advance(pushing, { kind: 'failed', error: ERROR }, T1);
    expect(failed.pushes.at(-1)).toMatchObject({ status: 'failed', error: ERROR });
  });

  it('writes one line of the timeline for each change of state', () => {
    const outcomes = fc.constantFrom<Outcome>(
      scanned,
      { kind: 'cancelled' },
      { kind: 'handed_back' },
      { kind: 'failed', error: ERROR },
    );
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATUSES), outcomes, (status, outcome) => {
        const from = job({ status, ...STAGED, pushes: [push()] });
        const to = advance(from, outcome, T1);
        const added = to.timeline.slice(from.timeline.length);
        expect(added.length).toBeLessThanOrEqual(1);
        if (to.status !== from.status) expect(added[0]?.status).toBe(to.status);
      }),
    );
  });
});

it('begin runs the stage a state asks for', () => {
  const running = begin(job({ attempts: 1 }), 'pull', T1);
  expect(running).toMatchObject({ status: 'pulling', attempts: 2, error: null });
  expect(nextStage(running)).toBe('pull');
});

it.each<[JobStatus, Partial<StagingJob>, boolean]>([
  ['staged', STAGED, true],
  ['pushed', STAGED, true],
  ['failed', STAGED, true],
  ['cancelled', STAGED, true],
  ['failed', {}, false],
  ['failed', { digest: 'sha256:a' }, false],
  ['pull_queued', {}, false],
  ['scanning', { digest: 'sha256:a' }, false],
  ['push_queued', STAGED, false],
  ['pushing', STAGED, false],
])('a %s job with %o accepts a push: %s', (status, change, accepted) => {
  expect(acceptsPush(job({ status, ...change }))).toBe(accepted);
});

it.each<[string, Partial<StagingJob>, JobStatus | null]>([
  ['a failed pull is pulled again', { status: 'failed' }, 'pull_queued'],
  ['a pull that broke off is pulled again', { status: 'failed', digest: 'sha256:a' }, 'pull_queued'],
  ['a cancelled scan is scanned again', { status: 'cancelled', digest: 'sha256:a', size: 1 }, 'scan_queued'],
  ['a failed scan is scanned again', { status: 'staged', ...STAGED, verdict: 'error' }, 'scan_queued'],
  [
    'a scan that was skipped can be made up for',
    { status: 'staged', ...STAGED, verdict: 'skipped' },
    'scan_queued',
  ],
  [
    'a failed push is pushed again',
    { status: 'failed', ...STAGED, pushes: [push({ status: 'failed' })] },
    'push_queued',
  ],
  [
    'a push that the gate refused for want of a scan is scanned first',
    {
      status: 'failed',
      ...STAGED,
      verdict: 'skipped',
      error: { ...ERROR, code: 'SCAN_REQUIRED' },
      pushes: [push({ status: 'failed' })],
    },
    'scan_queued',
  ],
  ['a staged job has nothing to retry', { status: 'staged', ...STAGED }, null],
  ['a running job has nothing to retry', { status: 'pulling' }, null],
])('%s', (_, change, status) => {
  expect(retry(job(change), { id: 'u', isAdmin: false }, T1)?.status ?? null).toBe(status);
});

const FAILED_PUSH = { status: 'failed' as const, ...STAGED, pushes: [push({ status: 'failed' })] };
const BLOCKED_AUTO = {
  ...FAILED_PUSH,
  auto: true,
  error: { ...ERROR, code: 'SCAN_REQUIRED' },
};

it.each<[string, Partial<StagingJob>, { id: string; isAdmin: boolean }, JobStatus | null]>([
  ['whoever requested a push repeats it', FAILED_PUSH, { id: 'u', isAdmin: false }, 'push_queued'],
  ['nobody repeats what somebody else requested', FAILED_PUSH, { id: 'owner', isAdmin: false }, null],
  ['not by way of a scan that leads to it either', BLOCKED_AUTO, { id: 'owner', isAdmin: false }, null],
  ['an administrator repeats any', FAILED_PUSH, { id: 'admin', isAdmin: true }, 'push_queued'],
])('a push runs with the rights of its requester: %s', (_, change, by, status) => {
  expect(retry(job(change), by, T1)?.status ?? null).toBe(status);
});

it('a requested push is queued with its destination in the timeline', () => {
  const asked = requestPush(job({ status: 'staged', ...STAGED }), push(), T1);
  expect(asked.status).toBe('push_queued');
  expect(asked.timeline.at(-1)?.note).toBe('to local/team/app:1');
});

it.each<[string, (keyof typeof TIMELINE_NOTES)[], boolean]>([
  ['not before its scan has found something missing', [], false],
  ['then', ['blobsWanted'], true],
  ['also after a stop of the worker', ['blobsWanted', 'handedBack'], true],
  ['not any more once somebody has begun it again', ['blobsWanted', 'retried'], false],
  ['but when it is missing again', ['blobsWanted', 'retried', 'blobsWanted'], true],
])('a pull takes all of an image: %s', (_, notes, expected) => {
  const timeline = notes.map((note) => ({
    at: T0,
    status: 'pull_queued' as const,
    note: TIMELINE_NOTES[note],
  }));
  expect(wantsBlobs({ timeline })).toBe(expected);
});
