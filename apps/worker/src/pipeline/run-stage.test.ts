import { begin, NO_PROGRESS, type Outcome, type StagingJob } from '@portcullis/domain';
import {
  type AppError,
  conflict,
  forbidden,
  invalid,
  notFound,
  rateLimited,
  unavailable,
} from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import { describe, expect, it } from 'vitest';
import type { StageAttempt } from './attempt.ts';
import type { JobRows } from './ports.ts';
import type { RunStagePorts } from './run-stage.ts';
import { runStage } from './run-stage.ts';

const STORAGE = '00000000-0000-4000-8000-000000000001';
const NOW = new Date('2026-11-21T12:00:00Z');

function jobAt(change: Partial<StagingJob>): StagingJob {
  return {
    id: 'j1',
    ownerId: 'u1',
    ownerName: 'alice',
    status: 'pull_queued',
    image: 'team/app',
    tag: '1',
    source: { kind: 'host', registryId: null, host: 'r.example' },
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
    destination: null,
    withReferrers: false,
    pushes: [],
    error: null,
    attempts: 0,
    fence: 0,
    cancelRequested: false,
    timeline: [],
    requestId: null,
    createdAt: NOW,
    updatedAt: NOW,
    finishedAt: null,
    ...change,
  };
}

/**
 * The rules of the store in memory: a fence, an expired lease, and a cancel flag that a worker
 * can't clear.
 */
function rowsOf(job: StagingJob | null) {
  const rows = {
    row: job,
    saves: [] as StagingJob[],
    progress: 0,
    find: async () => rows.row,
    async begin(_id: string, stage: 'pull' | 'scan' | 'push') {
      const wanted = { pull: /^pull/, scan: /^scan/, push: /^push(?!ed)/ }[stage];
      if (!rows.row || !wanted.test(rows.row.status)) return null;
      rows.row = { ...begin(rows.row, stage, NOW), fence: rows.row.fence + 1 };
      return rows.row;
    },
    async save(next: StagingJob, fence: number) {
      if (rows.row?.fence !== fence) return false;
      rows.row = next;
      rows.saves.push(next);
      return true;
    },
    async saveProgress(_id: string, fence: number) {
      rows.progress += 1;
      return rows.row?.fence === fence;
    },
    renewLease: async (_id: string, fence: number) => ({
      held: rows.row?.fence === fence,
      cancelRequested: rows.row?.cancelRequested ?? false,
    }),
  };
  return rows satisfies JobRows;
}

const PULLED: Outcome = {
  kind: 'pulled',
  sightedAt: new Date(0),
  digest: `sha256:${'a'.repeat(64)}`,
  mediaType: 'm',
  size: 7,
};
const silent = createLogger({ name: 'test', level: 'silent' });

function setUp(job: StagingJob | null, stage: (attempt: StageAttempt) => Promise<Outcome>) {
  const rows = rowsOf(job);
  const dispatched: { status: string; delayMs: number }[] = [];
  const published: (string | null)[] = [];
  const discarded: string[] = [];
  const ports: RunStagePorts = {
    jobs: rows,
    workerId: 'w1',
    storageId: STORAGE,
    stages: { pull: stage, scan: stage, push: stage },
    now: () => NOW,
    log: silent,
    publish: async (_stage, next, outcome) =>
      void published.push(`${next.status}${outcome ? ` ${outcome.kind}` : ''}`),
    publishProgress: async () => {},
    standing: async () => null,
    leaseRenewalMs: 5,
    dispatch: async (next, { delayMs }) => void dispatched.push({ status: next.status, delayMs }),
    nextStageHere: (stage, next) =>
      stage === 'pull' && next.status === 'push_queued' ? 'push' : null,
    discard: async (id) => void discarded.push(id),
    backoff: { maxAttempts: 3, firstSeconds: 2, longestSeconds: 60, random: () => 0 },
  };
  const run = (signal = new AbortController().signal) => runStage('pull', 'j1', signal, ports);
  return { rows, dispatched, published, discarded, run };
}

/** A stage that runs until it is aborted, as a copy does. */
function endless({ signal }: StageAttempt): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

describe('runStage', () => {
  it('begins, runs, saves the outcome, and dispatches the next stage', async () => {
    const { rows, dispatched, published, run } = setUp(jobAt({}), async () => PULLED);
    await run();
    expect(rows.row).toMatchObject({
      status: 'scan_queued',
      fence: 1,
      size: 7,
      storageId: STORAGE,
    });
    expect(dispatched).toEqual([{ status: 'scan_queued', delayMs: 0 }]);
    expect(published).toEqual(['pulling', 'scan_queued pulled']);
  });

  describe('where this worker continues with the push itself', () => {
    const unscanned = { ...PULLED, unscanned: true };
    const there: Outcome = { kind: 'pushed', digest: PULLED.digest, bytesMounted: 0 };
    const auto = jobAt({ auto: true });
    const twice = (...outcomes: (Outcome | AppError)[]) =>
      setUp(auto, async () => {
        const outcome = outcomes.shift();
        if (!outcome || outcome instanceof Error) throw outcome;
        return outcome;
      });

    it('both stages are one entry of the queue, with separate attempts and separate announcements', async () => {
      const { rows, dispatched, published, run } = twice(unscanned, there);
      await run();
      expect(rows.saves.map(({ status, attempts, fence }) => [status, attempts, fence])).toEqual([
        ['pushing', 1, 1],
        ['pushed', 0, 1],
      ]);
      expect(rows.row?.timeline.map(({ status }) => status)).toEqual([
        'pulling',
        'push_queued',
        'pushing',
        'pushed',
      ]);
      expect(dispatched.filter(({ status }) => status !== 'pushed')).toEqual([]);
      expect(published).toEqual(['pulling', 'push_queued pulled', 'pushing', 'pushed pushed']);
    });

    it('a postponed push returns through its queue', async () => {
      const { dispatched, run } = twice(unscanned, unavailable('DOWN', '502'));
      await run();
      expect(dispatched).toEqual([{ status: 'push_queued', delayMs: 1000 }]);
    });

    it('a worker that was considered dead meanwhile does not push', async () => {
      const { rows, published, run } = setUp(auto, async () => {
        rows.row = { ...jobAt({ status: 'pulling' }), fence: 9 };
        return unscanned;
      });
      await run();
      expect([rows.saves, published]).toEqual([[], ['pulling']]);
    });
  });

  it('a job that is past the stage is only dispatched', async () => {
    const { rows, dispatched, run } = setUp(jobAt({ status: 'push_queued' }), async () => PULLED);
    await run();
    expect([rows.saves.length, dispatched]).toEqual([0, [{ status: 'push_queued', delayMs: 0 }]]);
  });

  it('a deleted job leaves nothing on disk', async () => {
    const { discarded, dispatched, run } = setUp(null, async () => PULLED);
    await run();
    expect([discarded, dispatched]).toEqual([['j1'], []]);
  });

  it('a job deleted while its stage runs is stopped, and leaves nothing on disk', async () => {
    const { rows, discarded, run } = setUp(jobAt({}), async (attempt) => {
      rows.row = null;
      return endless(attempt);
    });
    await run();
    expect(discarded).toEqual(['j1']);
  });

  it('writes of a worker that was considered dead are dropped', async () => {
    const { rows, dispatched, published, run } = setUp(jobAt({}), async () => {
      rows.row = { ...jobAt({ status: 'pulling' }), fence: 9 };
      return PULLED;
    });
    await run();
    expect(rows.row).toMatchObject({ status: 'pulling', fence: 9 });
    expect([dispatched, published]).toEqual([[], ['pulling']]);
  });

  it('a worker that lost its lease stops', async () => {
    const { rows, run } = setUp(jobAt({}), async (attempt) => {
      rows.row = { ...jobAt({ status: 'pulling' }), fence: 9 };
      return endless(attempt);
    });
    await run();
    expect(rows.row).toMatchObject({ status: 'pulling', fence: 9 });
  });

  it('a cancel request before the stage prevents it', async () => {
    const { rows, run } = setUp(jobAt({ cancelRequested: true }), async () => PULLED);
    await run();
    expect(rows.row?.status).toBe('cancelled');
  });

  it('a cancel whose message was lost is found at the next renewal of the lease', async () => {
    const { rows, run } = setUp(jobAt({}), async (attempt) => {
      if (rows.row) rows.row = { ...rows.row, cancelRequested: true };
      return endless(attempt);
    });
    await run();
    expect(rows.row?.status).toBe('cancelled');
  });

  it('a stopping worker returns the job to the queue, and the attempt does not count', async () => {
    const stopping = new AbortController();
    const { rows, dispatched, run } = setUp(jobAt({ attempts: 1 }), endless);
    setTimeout(() => stopping.abort(unavailable('WORKER_STOPPING', 'stopping')), 20);
    await run(stopping.signal);
    expect(rows.row).toMatchObject({ status: 'pull_queued', attempts: 1 });
    expect(dispatched).toEqual([{ status: 'pull_queued', delayMs: 0 }]);
  });

  it('F2: a preempted job waits again, and the attempt does not count', async () => {
    const making = new AbortController();
    const { rows, dispatched, published, run } = setUp(jobAt({ attempts: 1 }), endless);
    setTimeout(() => making.abort(conflict('JOB_MADE_ROOM', 'made room')), 20);
    await run(making.signal);
    expect(rows.row).toMatchObject({ status: 'pull_queued', attempts: 1, error: null });
    expect(dispatched).toEqual([{ status: 'pull_queued', delayMs: 0 }]);
    expect(published).toEqual(['pulling', 'pull_queued made_room']);
  });

  it('facts that a stage amends are in the row at once, and stay after a failure', async () => {
    const { rows, run } = setUp(jobAt({}), async (attempt) => {
      await attempt.amend({ digest: 'sha256:d', mediaType: 'm' });
      throw unavailable('CUT', 'the connection was cut');
    });
    await run();
    expect(rows.row).toMatchObject({ status: 'pull_queued', digest: 'sha256:d', size: null });
  });

  it('keeps the last progress of a stage, without a separate write for one shorter than a second', async () => {
    const { rows, run } = setUp(jobAt({}), async (attempt) => {
      for (let done = 1; done <= 50; done++) attempt.report({ ...NO_PROGRESS, bytesDone: done }, 0);
      return PULLED;
    });
    await run();
    expect(rows.progress).toBe(0);
    expect(rows.row?.progress.bytesDone).toBe(50);
  });
});

const failing = (error: unknown) => async () => {
  throw error;
};

describe('a stage that fails', () => {
  const lasting: AppError[] = [
    invalid('DIGEST_MISMATCH', 'other bytes'),
    forbidden('DENIED', 'no'),
    notFound('MANIFEST_UNKNOWN', 'no such image'),
    // F8: a deliberate redirect will be the same next time.
    unavailable('REDIRECT_REFUSED', 'it redirects too often'),
  ];
  it.each(lasting)('$code is final at once', async (error) => {
    const { rows, run } = setUp(jobAt({}), failing(error));
    await run();
    expect(rows.row).toMatchObject({
      status: 'failed',
      error: { code: error.code, retryable: false },
    });
  });

  it('a refusal for want of a scan is final, and says that a retry of the job makes one', async () => {
    const refusal = forbidden('SCAN_REQUIRED', 'retry the job', { detail: { retry: true } });
    const { rows, run } = setUp(jobAt({}), failing(refusal));
    await run();
    expect(rows.row).toMatchObject({ status: 'failed', error: { retryable: true } });
  });

  it.each([unavailable('DOWN', '502'), rateLimited('LATER', '429'), new Error('a bug')])(
    '%s is retried with backoff',
    async (error) => {
      const { rows, dispatched, run } = setUp(jobAt({ attempts: 1 }), failing(error));
      await run();
      expect(rows.row).toMatchObject({
        status: 'pull_queued',
        attempts: 2,
        error: { retryable: true },
      });
      // The second of three attempts: 4 s, at least half of it after jitter.
      expect(dispatched).toEqual([{ status: 'pull_queued', delayMs: 2000 }]);
    },
  );

  it.each(['REGISTRY_SILENT', 'REGISTRY_TOO_SLOW'])(
    'F2: %s is final after the second attempt',
    async (code) => {
      for (const [attempts, status] of [
        [0, 'pull_queued'],
        [1, 'failed'],
      ] as const) {
        const { rows, run } = setUp(
          jobAt({ attempts }),
          failing(unavailable(code, 'nothing came')),
        );
        await run();
        expect(rows.row).toMatchObject({ status, error: { code, retryable: true } });
      }
    },
  );

  it('F6: waits for disk space without a limit', async () => {
    const short = unavailable('DISK_RESERVE', 'too little is free', { retryAfter: 60 });
    const { rows, dispatched, run } = setUp(jobAt({ attempts: 2 }), failing(short));
    await run();
    expect(rows.row).toMatchObject({
      status: 'pull_queued',
      attempts: 2,
      error: { code: 'DISK_RESERVE' },
    });
    expect(dispatched).toEqual([{ status: 'pull_queued', delayMs: 60_000 }]);
  });

  it('hides the text of errors other than AppError', async () => {
    const { rows, run } = setUp(jobAt({}), failing(new Error('password=hunter2')));
    await run();
    expect(JSON.stringify(rows.row)).not.toContain('hunter2');
  });

  it('waits as long as the host asks', async () => {
    const { dispatched, run } = setUp(
      jobAt({}),
      failing(rateLimited('LATER', '429', { retryAfter: 30 })),
    );
    await run();
    expect(dispatched).toEqual([{ status: 'pull_queued', delayMs: 30_000 }]);
  });

  it('a job whose workers died again and again fails', async () => {
    const { rows, run } = setUp(jobAt({ attempts: 6 }), async () => PULLED);
    await run();
    expect(rows.row).toMatchObject({ status: 'failed', error: { code: 'TOO_MANY_TRIES' } });
  });

  it('fails for a host that asks for too long a pause, and after the last attempt', async () => {
    const tooLong = setUp(jobAt({}), failing(rateLimited('LATER', '429', { retryAfter: 3600 })));
    const tooOften = setUp(jobAt({ attempts: 2 }), failing(unavailable('DOWN', '502')));
    await Promise.all([tooLong.run(), tooOften.run()]);
    expect([tooLong.rows.row?.status, tooOften.rows.row?.status]).toEqual(['failed', 'failed']);
  });
});
