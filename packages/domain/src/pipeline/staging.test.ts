import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOB_STATUSES, type JobStatus } from '../job/job-status.ts';
import { nextStage, type Outcome, type Push, type StagingJob } from '../job/staging-job.ts';
import { judge } from '../policy/verdict.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { jobFixture as job } from './staging.fixture.ts';
import { advance, begin } from './staging.ts';
import { acceptsPush, requestPush, retry } from './staging-requests.ts';

const T0 = new Date('2026-01-01T00:00:00Z');
const T1 = new Date('2026-01-01T00:01:00Z');
const LEFT = {
  kind: 'tag' as const,
  name: 'sha256-a.sig',
  code: 'REGISTRY_FORBIDDEN',
  message: 'no',
};
const ERROR = { code: 'X', message: 'no', side: null, retryable: false };

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
    bypass: { allowed: true, reason: null },
    requestedById: 'u',
    requestedBy: 'u',
    createdAt: T0,
    finishedAt: null,
    ...change,
  };
}

const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };
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
      { kind: 'pulled', digest: 'sha256:a', sightedAt: new Date(0), mediaType: 'm', size: 5 },
      { status: 'scan_queued', digest: 'sha256:a', size: 5 },
    ],
    [
      'a pulled image without a wanted scan is pushed next',
      job({ status: 'pulling', auto: true }),
      {
        kind: 'pulled',
        digest: 'sha256:a',
        sightedAt: new Date(0),
        mediaType: 'm',
        size: 5,
        unscanned: true,
      },
      { status: 'push_queued', verdict: 'skipped', digest: 'sha256:a', size: 5 },
    ],
    [
      'a pulled image names referrers that were not copied (S3)',
      job({ status: 'pulling', timeline: [] }),
      {
        kind: 'pulled',
        digest: 'sha256:a',
        sightedAt: new Date(0),
        mediaType: 'm',
        size: 5,
        referrersLeft: [LEFT],
      },
      {
        status: 'scan_queued',
        timeline: [
          { at: T1, status: 'pulling', kind: 'referrers_left', left: [LEFT], more: 0 },
          { at: T1, status: 'scan_queued', kind: 'status_changed' },
        ],
      },
    ],
    [
      'a scanned image is staged with its verdict',
      job({ status: 'scanning' }),
      scanned,
      { status: 'staged', verdict: 'clean' },
    ],
    [
      'a known report is judged under the job’s own policy',
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
        timeline: [{ at: T1, status: 'staged', kind: 'scan_reused' }],
      },
    ],
    [
      'a transfer’s image is pushed next',
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
      'a scan that lacks layers requeues the pull',
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
      'a returned stage is queued, and the attempt not counted',
      job({ status: 'scanning', attempts: 1 }),
      { kind: 'handed_back' },
      { status: 'scan_queued', attempts: 0 },
    ],
    [
      'a preempted stage is queued, and the attempt not counted',
      job({ status: 'pulling', attempts: 1 }),
      { kind: 'made_room' },
      { status: 'pull_queued', attempts: 0 },
    ],
    [
      'a postponed stage is queued with its error',
      job({ status: 'pulling', attempts: 2 }),
      { kind: 'put_off', error: ERROR, seconds: 3 },
      { status: 'pull_queued', attempts: 2, error: ERROR },
    ],
  ])('%s', (_, from, outcome, expected) => {
    expect(advance(from, outcome, T1)).toMatchObject(expected);
  });

  it('F6: a stage that waits for space is postponed without a limit, and its timeline does not grow', () => {
    let waiting = requestPush(job({ status: 'staged', ...STAGED }), push(), T1);
    const before = waiting.timeline;
    for (let tries = 0; tries < 100; tries += 1) {
      const outcome = { kind: 'put_off', error: ERROR, seconds: 60, uncounted: true } as const;
      waiting = advance(begin(waiting, 'push', T1), outcome, T1);
      expect(waiting).toMatchObject({ status: 'push_queued', attempts: 0, error: ERROR });
    }
    expect(waiting.timeline.slice(0, before.length)).toEqual(before);
    expect(waiting.timeline).toHaveLength(before.length + 1);
  });

  it('a push records its own outcome', () => {
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

  it('adds one entry to the timeline for each change of status', () => {
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

it('begin runs the stage that a status asks for', () => {
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
  ['an interrupted pull is pulled again', { status: 'failed', digest: 'sha256:a' }, 'pull_queued'],
  [
    'a cancelled scan is scanned again',
    { status: 'cancelled', digest: 'sha256:a', size: 1 },
    'scan_queued',
  ],
  [
    'a failed scan is scanned again',
    { status: 'staged', ...STAGED, verdict: 'error' },
    'scan_queued',
  ],
  [
    'a skipped scan can be requested later',
    { status: 'staged', ...STAGED, verdict: 'skipped' },
    'scan_queued',
  ],
  [
    'a failed push is pushed again',
    { status: 'failed', ...STAGED, pushes: [push({ status: 'failed' })] },
    'push_queued',
  ],
  [
    'a push that the gate refused for a missing scan is scanned first',
    {
      status: 'failed',
      ...STAGED,
      verdict: 'skipped',
      error: { ...ERROR, code: 'SCAN_REQUIRED' },
      pushes: [push({ status: 'failed' })],
    },
    'scan_queued',
  ],
  ...(['clean', 'findings', 'blocked', 'unscannable'] as const).map(
    (verdict): [string, Partial<StagingJob>, JobStatus] => [
      `S4c: a staged image that is ${verdict} is scanned again`,
      { status: 'staged', ...STAGED, verdict },
      'scan_queued',
    ],
  ),
  [
    'a cancelled new scan is scanned again',
    { status: 'cancelled', ...STAGED, pushes: [push({ status: 'done' })] },
    'scan_queued',
  ],
  ['a pushed job has nothing to retry', { status: 'pushed', ...STAGED }, null],
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
  ['the requester of a push can retry it', FAILED_PUSH, { id: 'u', isAdmin: false }, 'push_queued'],
  ['another account cannot retry it', FAILED_PUSH, { id: 'owner', isAdmin: false }, null],
  ['nor through a scan before the push', BLOCKED_AUTO, { id: 'owner', isAdmin: false }, null],
  [
    'an administrator can retry any push',
    FAILED_PUSH,
    { id: 'admin', isAdmin: true },
    'push_queued',
  ],
])('a push runs with the rights of its requester: %s', (_, change, by, status) => {
  expect(retry(job(change), by, T1)?.status ?? null).toBe(status);
});

const FOUND = judge(
  { ...CLEAN_REPORT, vulnerabilities: [LOW_FINDING] },
  DEFAULT_POLICY,
  NO_OVERRIDES,
).result;
const BLOCKING = { ...FOUND, blocked: true };
const FAILED_SINCE = { ...FOUND, laterScanFailedAt: T1.toISOString() };
const FAILED_BEFORE = { ...FOUND, laterScanFailedAt: T0.toISOString() };

describe('S4a: a push whose scan is older than the vulnerability database', () => {
  const OLD = { ...STAGED, verdict: 'findings' as const, vulnResult: FOUND };
  const pushing = job({
    ...OLD,
    status: 'pushing',
    attempts: 2,
    pushes: [push({ status: 'running' })],
  });
  const scanQueued = advance(pushing, { kind: 'scan_wanted' }, T1);
  const scanning = begin(scanQueued, 'scan', T1);

  it('waits while the image is scanned first', () => {
    expect(scanQueued).toMatchObject({
      status: 'scan_queued',
      verdict: 'findings',
      attempts: 0,
      pushes: [{ status: 'queued', scans: 1 }],
    });
    expect(
      advance({ ...pushing, ...begin(scanQueued, 'push', T1) }, { kind: 'scan_wanted' }, T1).pushes,
    ).toMatchObject([{ scans: 2 }]);
  });

  it.each<[string, Outcome, Partial<StagingJob>]>([
    [
      'continues once it is scanned',
      { kind: 'scanned', report: CLEAN_REPORT, policy: DEFAULT_POLICY },
      { status: 'push_queued', verdict: 'clean' },
    ],
    [
      'continues where no scan is wanted any more',
      { kind: 'scan_skipped' },
      { status: 'push_queued', verdict: 'findings' },
    ],
    [
      'continues to the gate with the earlier verdict where there is no scanner',
      { kind: 'failed', error: { ...ERROR, code: 'SCANNER_UNAVAILABLE' } },
      { status: 'push_queued', verdict: 'findings', vulnResult: FOUND },
    ],
    [
      'continues to the gate with the earlier findings where the scan failed',
      { kind: 'failed', error: ERROR },
      { status: 'push_queued', verdict: 'error', vulnResult: FAILED_SINCE },
    ],
    [
      'still waits where its worker stops',
      { kind: 'handed_back' },
      { status: 'scan_queued', verdict: 'findings' },
    ],
    [
      'still waits where the scan is postponed',
      { kind: 'put_off', error: ERROR, seconds: 1 },
      { status: 'scan_queued', verdict: 'findings' },
    ],
    [
      'waits for layers that the scan lacks',
      { kind: 'blobs_wanted' },
      { status: 'pull_queued', verdict: 'findings' },
    ],
  ])('%s', (_, outcome, expected) => {
    const next = advance(scanning, outcome, T1);
    expect(next).toMatchObject({ ...expected, pushes: [{ status: 'queued' }] });
  });

  it('is cancelled with its job, and a new scan does not resume it', () => {
    const over = advance(scanning, { kind: 'cancelled' }, T1);
    expect(over).toMatchObject({
      status: 'cancelled',
      verdict: 'findings',
      pushes: [{ status: 'cancelled' }],
    });
    const staged = job({ ...over, status: 'staged' });
    const again = retry(staged, { id: 'u', isAdmin: false }, T1) ?? staged;
    const scanned = { kind: 'scanned', report: CLEAN_REPORT, policy: DEFAULT_POLICY } as const;
    expect(advance(begin(again, 'scan', T1), scanned, T1)).toMatchObject({
      status: 'staged',
      verdict: 'clean',
    });
  });

  it('fails with its job where the layers are unavailable, and is retried with it', () => {
    const pulling = begin(advance(scanning, { kind: 'blobs_wanted' }, T1), 'pull', T1);
    const over = advance(pulling, { kind: 'failed', error: ERROR }, T1);
    expect(over).toMatchObject({
      status: 'failed',
      verdict: 'findings',
      pushes: [{ status: 'failed', error: ERROR }],
    });
    const again = retry(over, { id: 'u', isAdmin: false }, T1);
    expect(again).toMatchObject({
      status: 'push_queued',
      pushes: [{ status: 'queued', error: null, scans: 0 }],
    });
    expect(retry(over, { id: 'owner', isAdmin: false }, T1)).toBeNull();
  });

  it('after a crash at any point the next stage is known, and the push is kept', () => {
    for (const row of [scanQueued, scanning]) expect(nextStage(row)).toBe('scan');
  });
});

it('a transfer’s push is open until its job ends, and a retry opens it again', () => {
  const pulling = job({ status: 'pulling', auto: true, pushes: [push()] });
  const over = advance(pulling, { kind: 'failed', error: ERROR }, T1);
  expect(over.pushes).toMatchObject([{ status: 'failed' }]);
  expect(retry(over, { id: 'u', isAdmin: false }, T1)).toMatchObject({
    status: 'pull_queued',
    pushes: [{ status: 'queued' }],
  });
});

it.each<[string, Partial<StagingJob>, string, Partial<StagingJob>]>([
  [
    'one that blocks stays blocked',
    { verdict: 'blocked', vulnResult: BLOCKING },
    'SCAN_TIMEOUT',
    { verdict: 'blocked', vulnResult: { ...BLOCKING, laterScanFailedAt: T1.toISOString() } },
  ],
  [
    'a clean one becomes an error, and keeps its findings',
    { verdict: 'clean', vulnResult: FOUND },
    'SCAN_TIMEOUT',
    { verdict: 'error', vulnResult: FAILED_SINCE },
  ],
  [
    'one whose earlier scan failed keeps its findings and the time of the first failure',
    { verdict: 'pending', vulnResult: FAILED_BEFORE },
    'SCAN_TIMEOUT',
    { verdict: 'error', vulnResult: FAILED_BEFORE },
  ],
  [
    'a scan that could not begin does not clear an earlier failure',
    { verdict: 'pending', vulnResult: FAILED_BEFORE },
    'SCANNER_UNAVAILABLE',
    { verdict: 'error', vulnResult: FAILED_BEFORE },
  ],
  [
    'a failed first scan has no findings',
    { verdict: 'pending' },
    'SCAN_TIMEOUT',
    { verdict: 'error', vulnResult: null },
  ],
  [
    'without a scanner it stays',
    { verdict: 'clean', vulnResult: FOUND },
    'SCANNER_UNAVAILABLE',
    { verdict: 'clean', vulnResult: FOUND },
  ],
  [
    'without a database it stays',
    { verdict: 'clean', vulnResult: FOUND },
    'SCAN_DATABASE_MISSING',
    { verdict: 'clean', vulnResult: FOUND },
  ],
  [
    'without a scanner the first scan fails',
    { verdict: 'pending' },
    'SCANNER_UNAVAILABLE',
    { verdict: 'error', vulnResult: null },
  ],
])('the earlier verdict after a failed scan: %s', (_, change, code, expected) => {
  const scanning = job({ ...STAGED, status: 'scanning', ...change });
  const failed = advance(scanning, { kind: 'failed', error: { ...ERROR, code } }, T1);
  expect(failed).toMatchObject({ status: 'staged', error: { code }, ...expected });
});

it('an image whose last scan failed gets the verdict of its findings again once no scan is wanted', () => {
  const change = { verdict: 'pending' as const, vulnResult: FAILED_BEFORE };
  const next = advance(
    job({ ...STAGED, status: 'scanning', ...change }),
    { kind: 'scan_skipped' },
    T1,
  );
  expect(next).toMatchObject({ status: 'staged', verdict: 'findings' });
  expect(next.vulnResult).toEqual(FOUND);
});

it('a successful scan clears an earlier failure', () => {
  const change = { verdict: 'pending' as const, vulnResult: FAILED_BEFORE };
  const scanned = { kind: 'scanned', report: CLEAN_REPORT, policy: DEFAULT_POLICY } as const;
  const next = advance(job({ ...STAGED, status: 'scanning', ...change }), scanned, T1);
  expect(next).toMatchObject({ status: 'staged', verdict: 'clean' });
  expect(next.vulnResult).not.toHaveProperty('laterScanFailedAt');
});

it('a requested scan keeps the earlier findings until it ends', () => {
  const staged = job({ ...STAGED, status: 'staged', verdict: 'blocked', vulnResult: BLOCKING });
  const again = retry(staged, { id: 'u', isAdmin: false }, T1);
  expect(again).toMatchObject({ status: 'scan_queued', verdict: 'blocked', vulnResult: BLOCKING });
});

it('a transfer’s job, whose findings are not loaded, keeps them as well', () => {
  const error = { ...ERROR, code: 'SCAN_REQUIRED' };
  const change = {
    verdict: 'unscannable' as const,
    auto: true,
    error,
    pushes: [push({ status: 'failed' })],
  };
  const again = retry(
    job({ ...STAGED, status: 'failed', ...change }),
    { id: 'u', isAdmin: false },
    T1,
  );
  expect(again).toMatchObject({
    status: 'scan_queued',
    verdict: 'unscannable',
    pushes: [{ status: 'queued' }],
  });
});

it('a requested push is queued with its destination in the timeline', () => {
  const requested = requestPush(job({ status: 'staged', ...STAGED }), push(), T1);
  expect(requested.status).toBe('push_queued');
  expect(requested.timeline.at(-1)).toMatchObject({
    kind: 'push_requested',
    destination: 'local/team/app:1',
  });
});

describe('which blobs the next pull of a transfer’s job downloads', () => {
  const scanning = job({ status: 'scanning', auto: true, pullMode: 'lazy', ...STAGED });
  const missing = advance(scanning, { kind: 'blobs_wanted' }, T1);

  it('are all of them once its scan lacks a layer, also after a restart of the worker', () => {
    expect(missing).toMatchObject({
      status: 'pull_queued',
      pullMode: 'complete',
      timeline: [{ kind: 'layers_missing' }],
    });
    const again = advance(begin(missing, 'pull', T1), { kind: 'handed_back' }, T1);
    expect(again).toMatchObject({ status: 'pull_queued', pullMode: 'complete' });
  });

  it('are those that its scan needs after a retry', () => {
    const stopped = advance(missing, { kind: 'cancelled' }, T1);
    expect(retry(stopped, { id: 'u', isAdmin: false }, T1)).toMatchObject({ pullMode: 'lazy' });
  });
});
