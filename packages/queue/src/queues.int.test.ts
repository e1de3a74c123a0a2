import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stage } from '@portcullis/domain';
import {
  duplicateForBlocking,
  forRequest,
  openRedis,
  type Redis,
  redisReady,
  requestIdNow,
} from '@portcullis/runtime';
import { startRedis, type TestServer } from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  abortCause,
  type Consumer,
  openQueues,
  type Queues,
  type Task,
  type TaskHandlers,
} from './index.ts';

let server: TestServer;
let redis: Redis;
let queues: Queues;
let consumers: Consumer[];
let prefix: string;
let serial = 0;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { mode: 'patient' });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => {
  prefix = `test${++serial}`;
  queues = openQueues(redis, { prefix });
  consumers = [];
});

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await queues.close();
});

function job(id: string, more: { ownerId?: string; fence?: number } = {}) {
  return { id, status: 'pull_queued', ownerId: 'ada', fence: 0, storageId: null, ...more } as const;
}

function consume(
  stage: Stage,
  ...args: Parameters<Queues['consume']> extends [unknown, ...infer R] ? R : never
) {
  const consumer = queues.consume({ stage, storageId: null }, ...args);
  consumers.push(consumer);
  return consumer;
}

function waiting(name = 'pull') {
  return queues.depths().then((depths) => depths.find(({ queue }) => queue === name)?.waiting);
}

/** Records calls in order; each call ends when the test says so. */
function gate() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    handler: (id: string) => {
      started.push(id);
      return new Promise<void>((resolve) => ends.set(id, resolve));
    },
    end: (id: string) => ends.get(id)?.(),
  };
}

it('work by an account without the dangerous commands of Redis, but INFO', async () => {
  const rights = ['+@all', '-@dangerous', '+info'];
  await redis.call('ACL', 'SETUSER', 'few', 'on', '>secret', '~*', '&*', ...rights);
  const own = openRedis(`redis://few:secret@${server.host}`, { mode: 'patient' });
  const few = openQueues(own, { prefix });
  const { started, handler, end } = gate();
  const consumer = few.consume({ stage: 'pull', storageId: null }, handler, { concurrency: 1 });
  await few.dispatch(job('a'));
  await expect.poll(() => started).toEqual(['a']);
  end('a');
  await consumer.stop();
  await few.close();
  own.disconnect();
});

describe('dispatch', () => {
  it('enqueues the stage of the status, and nothing where no stage is left', async () => {
    await queues.dispatch(job('a'));
    await queues.dispatch({ ...job('b'), status: 'scan_queued' });
    await queues.dispatch({ ...job('c'), status: 'pushing' });
    await queues.dispatch({ ...job('d'), status: 'staged' });
    const depths = await queues.depths();
    expect(depths.map(({ queue, waiting }) => [queue, waiting])).toEqual([
      ['pull', 1],
      ['scan', 1],
      ['push', 1],
      ['tasks', 0],
      ['long-tasks', 0],
    ]);
  });

  it('twice is one entry, while it waits and while it runs', async () => {
    await queues.dispatch(job('a'));
    await queues.dispatch(job('a'));
    expect(await waiting()).toBe(1);
    const { started, handler, end } = gate();
    consume('pull', handler, { concurrency: 2 });
    await expect.poll(() => started).toEqual(['a']);
    await queues.dispatch(job('a'));
    await queues.dispatch(job('b'));
    await expect.poll(() => started).toEqual(['a', 'b']);
    end('a');
    await queues.dispatch(job('c'));
    await expect.poll(() => started).toEqual(['a', 'b', 'c']);
    end('b');
    end('c');
  });

  it('runs a later attempt, also when it is dispatched during the previous one', async () => {
    const fences: number[] = [];
    consume(
      'pull',
      async () => {
        fences.push(fences.length);
        if (fences.length < 3) await queues.dispatch(job('a', { fence: fences.length }));
      },
      { concurrency: 1 },
    );
    await queues.dispatch(job('a'));
    await expect.poll(() => fences).toHaveLength(3);
  });

  it('runs again after it completed, and after its handler threw', async () => {
    const run = vi.fn(async () => {
      throw new Error('the database is away');
    });
    consume('pull', run, { concurrency: 1 });
    for (const times of [1, 2]) {
      await queues.dispatch(job('a'));
      await expect.poll(() => run).toHaveBeenCalledTimes(times);
      await expect
        .poll(async () => (await queues.depths())[0])
        .toMatchObject({ running: 0, failed: times });
    }
  });

  it('waits out a delay', async () => {
    const ran: string[] = [];
    consume('pull', async (id) => void ran.push(id), { concurrency: 1 });
    await queues.dispatch(job('late'), { delayMs: 700 });
    await queues.dispatch(job('soon'));
    await expect.poll(() => ran).toEqual(['soon', 'late']);
  });

  it('is unavailable at once on a fail-fast connection', async () => {
    const own = await startRedis();
    const fast = openRedis(own.url, { mode: 'fail-fast' });
    await redisReady(fast);
    const api = openQueues(fast, { prefix });
    await api.dispatch(job('a'));
    await own.stop();
    const refusal = { kind: 'unavailable', code: 'QUEUE_UNAVAILABLE' };
    // The timeout of a command never comes, so that only a refusal at once ends them.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      await expect(api.dispatch(job('b'))).rejects.toMatchObject(refusal);
      await expect(api.cancel('a')).rejects.toMatchObject(refusal);
    } finally {
      vi.useRealTimers();
    }
    await api.close();
    fast.disconnect();
  });
});

describe('fairness', () => {
  async function order(take: number): Promise<string[]> {
    const ran: string[] = [];
    consume('pull', async (id) => void ran.push(id), { concurrency: 1 });
    await expect.poll(() => ran.length).toBeGreaterThanOrEqual(take);
    return ran;
  }

  it("one account's thousand jobs don't hold back another's single one", async () => {
    for (let i = 0; i < 1000; i++) await queues.dispatch(job(`a${i}`));
    await queues.dispatch(job('b0', { ownerId: 'bob' }));
    const ran = await order(1001);
    expect(ran.indexOf('b0')).toBeLessThanOrEqual(1);
    expect(ran.filter((id) => id.startsWith('a'))).toEqual(
      Array.from({ length: 1000 }, (_, i) => `a${i}`),
    );
  });

  it('F2: a new account is served before waiting entries of one that had its turn', async () => {
    const { started, handler, end } = gate();
    for (let i = 0; i < 10; i++) await queues.dispatch(job(`a${i}`));
    consume('pull', handler, { concurrency: 8 });
    await expect.poll(() => started).toHaveLength(8);
    await queues.dispatch(job('b0', { ownerId: 'bob' }));
    expect(await queues.waiting({ stage: 'pull', storageId: null }, 10)).toEqual([
      'b0',
      'a8',
      'a9',
    ]);
    end('a0');
    await expect.poll(() => started[8]).toBe('b0');
    const endAll = () => started.map(end).length;
    await expect.poll(endAll).toBe(11);
    endAll();
  });

  it('F2: a preempted job is aborted with that reason', async () => {
    const causes: (string | null)[] = [];
    const consumer = consume(
      'pull',
      (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            causes.push(abortCause(signal));
            resolve();
          }),
        ),
      { concurrency: 1 },
    );
    await queues.dispatch(job('a0'));
    await expect.poll(() => consumer.running()).toBe(1);
    consumer.preempt('another');
    consumer.preempt('a0');
    await expect.poll(() => causes).toEqual(['made_room']);
  });

  it('accounts take turns, each in its own order', async () => {
    for (let i = 0; i < 3; i++) await queues.dispatch(job(`a${i}`));
    for (let i = 0; i < 3; i++) await queues.dispatch(job(`b${i}`, { ownerId: 'bob' }));
    expect(await order(6)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  });

  it('an account that submits continuously does not delay old jobs of another', async () => {
    for (let i = 0; i < 20; i++) await queues.dispatch(job(`a${i}`));
    const ran: string[] = [];
    consume(
      'pull',
      async (id) => {
        ran.push(id);
        if (ran.length < 40) await queues.dispatch(job(`b${ran.length}`, { ownerId: 'bob' }));
      },
      { concurrency: 1 },
    );
    await expect.poll(() => ran).toContain('a19');
    expect(ran.indexOf('a19')).toBeLessThanOrEqual(40);
  });

  it('a repeated dispatch uses no turn', async () => {
    await queues.dispatch(job('a0'));
    for (let i = 0; i < 50; i++) await queues.dispatch(job('a0'));
    await queues.dispatch(job('a1'));
    for (let i = 0; i < 5; i++) await queues.dispatch(job(`b${i}`, { ownerId: 'bob' }));
    expect((await order(7)).slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1']);
  });

  it('is separate for each stage', async () => {
    for (let i = 0; i < 5; i++) await queues.dispatch(job(`a${i}`));
    await queues.dispatch({ ...job('a9'), status: 'scan_queued' });
    await queues.dispatch({ ...job('b9', { ownerId: 'bob' }), status: 'scan_queued' });
    const ran: string[] = [];
    consume('scan', async (id) => void ran.push(id), { concurrency: 1 });
    await expect.poll(() => ran).toEqual(['a9', 'b9']);
  });
});

describe('cancel and stop', () => {
  function untilAborted(seen: Record<string, string | null>) {
    return async (id: string, signal: AbortSignal) => {
      seen[id] = '';
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      seen[id] = abortCause(signal);
    };
  }

  it('a cancellation aborts that job from any process, and no other', async () => {
    const seen: Record<string, string | null> = {};
    consume('pull', untilAborted(seen), { concurrency: 2 });
    await queues.dispatch(job('a'));
    await queues.dispatch(job('b'));
    await expect.poll(() => seen).toEqual({ a: '', b: '' });
    const elsewhere = duplicateForBlocking(redis);
    await redisReady(elsewhere);
    await openQueues(elsewhere, { prefix }).cancel('a');
    await expect.poll(() => seen).toEqual({ a: 'cancelled', b: '' });
    elsewhere.disconnect();
  });

  it('a stop waits for jobs that end in time, aborts the rest, and takes nothing new', async () => {
    const seen: Record<string, string | null> = {};
    const hang = untilAborted(seen);
    const preempted = Promise.withResolvers<void>();
    const consumer = consume(
      'pull',
      async (id, signal) => {
        if (id === 'quick') {
          await preempted.promise;
          seen[id] = 'done';
        } else await hang(id, signal);
      },
      { concurrency: 2 },
    );
    await queues.dispatch(job('quick'));
    await queues.dispatch(job('slow'));
    await expect.poll(() => consumer.running()).toBe(2);
    await queues.dispatch(job('later'));
    const stopped = consumer.stop(600);
    // Its way to Redis and back lets the stop begin.
    expect(await waiting()).toBe(1);
    preempted.resolve();
    await stopped;
    expect(seen).toEqual({ quick: 'done', slow: 'stopping' });
    expect(await waiting()).toBe(1);
  });

  it('a handler that ends with the reason of a stop did not fail', async () => {
    const consumer = consume(
      'pull',
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        ),
      { concurrency: 1 },
    );
    await queues.dispatch(job('a'));
    await expect.poll(() => consumer.running()).toBe(1);
    await consumer.stop(0);
    const [pull] = await queues.depths();
    expect(pull).toMatchObject({ running: 0, failed: 0 });
  });

  it('a job whose worker was killed is delivered to another one, but not before its lease ends', async () => {
    await queues.dispatch(job('a'));
    const child = spawn(process.execPath, ['--input-type=module', '-e', VICTIM], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    });
    child.stdin.end(JSON.stringify({ url: server.url, prefix }));
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const leases = await redis.keys(`${prefix}:pull:*:lock`);
    expect(leases).toHaveLength(1);
    const ends = await redis.pexpiretime(leases[0] ?? '');
    let ran = 0;
    const run = vi.fn(async () => {
      ran = await timeOf(redis);
    });
    consume('pull', run, { concurrency: 1 });
    await expect.poll(() => ran).toBeGreaterThanOrEqual(ends);
    expect(run).toHaveBeenCalledOnce();
  });
});

/** In milliseconds, by the clock that ends leases. */
async function timeOf(redis: Redis): Promise<number> {
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  return seconds * 1000 + micros / 1000;
}

const VICTIM = `
  import { openRedis } from '@portcullis/runtime';
  import { openQueues } from './index.ts';
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  const { url, prefix } = JSON.parse(text);
  const queues = openQueues(openRedis(url, { mode: 'patient' }), { prefix });
  queues.consume({ stage: 'pull', storageId: null }, async (id) => { process.stdout.write(id); await new Promise(() => {}); }, { concurrency: 1 });
`;

function handlers(ran: string[]): TaskHandlers {
  const note = async (task: { name: string }) => void ran.push(task.name);
  return {
    discard: async ({ jobId }) => void ran.push(`discard ${jobId}`),
    'convert-report': async ({ format }) => void ran.push(`convert ${format}`),
    'expand-transfer': async ({ transferId }) => void ran.push(`expand ${transferId}`),
    'keep-reports': note,
    'find-orphans': note,
    'run-schedule': async ({ scheduleId }) => void ran.push(`run ${scheduleId}`),
    sweep: note,
    'prune-cache': note,
    'trim-events': note,
    'reconcile-images': note,
    'update-scanner-db': note,
    'refresh-feeds': note,
    'end-waivers': note,
    'apply-retention': note,
  };
}

describe('a storage', () => {
  const [here, there] = ['0000-a', '0000-b'];
  const scan = (id: string, storageId: string | null) =>
    queues.dispatch({ ...job(id), status: 'scan_queued', storageId });
  const consumeAt = (storageId: string, ran: string[]) =>
    consumers.push(
      queues.consume({ stage: 'scan', storageId }, async (id) => void ran.push(id), {
        concurrency: 1,
      }),
    );

  it('has the scans of its images, and pulls go to any worker', async () => {
    await scan('a', here);
    await scan('b', there);
    await queues.dispatch({ ...job('c'), storageId: there });
    const ran: string[] = [];
    consumeAt(here, ran);
    await expect.poll(() => ran).toEqual(['a']);
    expect(await queues.waiting({ stage: 'scan', storageId: there }, 10)).toEqual(['b']);
    expect(await queues.waiting({ stage: 'pull', storageId: null }, 10)).toEqual(['c']);
  });

  it('is counted with the others of its kind', async () => {
    await scan('a', null);
    await scan('b', here);
    await scan('c', there);
    const depths = await queues.depths([here, there]);
    expect(depths.map(({ queue, waiting }) => [queue, waiting])).toEqual([
      ['pull', 0],
      ['scan', 3],
      ['push', 0],
      ['tasks', 0],
      ['long-tasks', 0],
    ]);
    expect(depths[1]?.oldestAgeMs).toBeGreaterThanOrEqual(0);
  });

  it('has separate fairness between accounts', async () => {
    for (const n of [1, 2, 3]) await scan(`ada${n}`, here);
    await queues.dispatch({
      ...job('bob', { ownerId: 'bob' }),
      status: 'scan_queued',
      storageId: here,
    });
    const ran: string[] = [];
    consumeAt(here, ran);
    await expect.poll(() => ran).toEqual(['ada1', 'bob', 'ada2', 'ada3']);
  });

  it('has tasks that only its workers run, and its workers run the common ones as well', async () => {
    const ran: string[] = [];
    await queues.enqueue({ name: 'discard', jobId: 'a' }, { storageId: here });
    await queues.enqueue({ name: 'discard', jobId: 'a' }, { storageId: there });
    await queues.enqueue({ name: 'discard', jobId: 'b' });
    consumers.push(queues.consumeTasks(handlers(ran), { storageId: here }));
    await expect.poll(() => ran.toSorted()).toEqual(['discard a', 'discard b']);
    expect((await queues.depths([there])).find(({ queue }) => queue === 'tasks')?.waiting).toBe(1);
  });

  it('that is removed leaves no queue behind', async () => {
    await scan('a', there);
    await queues.enqueue({ name: 'discard', jobId: 'a' }, { storageId: there });
    await queues.every({ name: 'prune-cache' }, 3_600_000, { storageId: there });
    await queues.forget(there);
    expect(await redis.keys(`${prefix}:*${there}*`)).toEqual([]);
  });
});

describe('the request that an entry is made for', () => {
  it('is that of its handler, which one without a request does not have', async () => {
    const seen = new Map<string, string | null>();
    consume('pull', async (id) => void seen.set(id, requestIdNow()), { concurrency: 1 });
    await forRequest('ticket-4711', () => queues.dispatch(job('a')));
    await queues.dispatch(job('b'));
    await expect.poll(() => Object.fromEntries(seen)).toEqual({ a: 'ticket-4711', b: null });
  });

  it('is followed by tasks about one thing, and not by those that serve many callers', async () => {
    const seen = new Map<string, string | null>();
    const note = async (task: Task) => void seen.set(task.name, requestIdNow());
    const noting = new Proxy({}, { get: () => note }) as TaskHandlers;
    consumers.push(queues.consumeTasks(noting));
    await forRequest('ticket-4711', async () => {
      await queues.enqueue({ name: 'discard', jobId: 'a' });
      await queues.enqueue({ name: 'run-schedule', scheduleId: 'a', manual: true });
      await queues.enqueue({ name: 'apply-retention' });
      await queues.enqueue({ name: 'sweep' });
      await queues.every({ name: 'trim-events' }, 3_600_000);
    });
    await expect
      .poll(() => Object.fromEntries(seen))
      .toEqual({
        discard: 'ticket-4711',
        'run-schedule': 'ticket-4711',
        ...{ 'apply-retention': null, sweep: null, 'trim-events': null },
      });
  });
});

describe('tasks', () => {
  it('run once each, with their fields', async () => {
    const ran: string[] = [];
    await queues.enqueue({ name: 'discard', jobId: 'a' });
    await queues.enqueue({ name: 'discard', jobId: 'b' });
    await queues.enqueue({ name: 'discard', jobId: 'a' });
    await queues.enqueue({ name: 'trim-events' });
    consumers.push(queues.consumeTasks(handlers(ran), { concurrency: 1 }));
    await expect.poll(() => ran).toEqual(['discard a', 'discard b', 'trim-events']);
  });

  it.each<Task>([
    { name: 'sweep' },
    { name: 'trim-events' },
    { name: 'discard', jobId: 'a' },
    { name: 'run-schedule', scheduleId: 'a', manual: true },
  ])(
    '$name runs while any number of slow transfers and long walks are under way',
    async (urgent) => {
      const ran: string[] = [];
      const slow = gate();
      const until = (ended: Promise<void>, signal: AbortSignal) =>
        Promise.race([ended, once(signal, 'abort')]);
      consumers.push(
        queues.consumeTasks(
          {
            ...handlers(ran),
            'expand-transfer': async ({ transferId }, signal) =>
              void (await until(slow.handler(transferId), signal)),
            'reconcile-images': async (_, signal) =>
              void (await until(slow.handler('walk'), signal)),
          },
          { concurrency: 2 },
        ),
      );
      await queues.enqueue({ name: 'reconcile-images' });
      for (const transferId of ['t1', 't2', 't3'])
        await queues.enqueue({ name: 'expand-transfer', transferId });
      await expect.poll(() => slow.started).toHaveLength(2);
      await queues.enqueue(urgent);
      await expect.poll(() => ran).toHaveLength(1);
      expect(slow.started).toHaveLength(2);
      for (const name of ['walk', 't1', 't2', 't3']) {
        await expect.poll(() => slow.started).toContain(name);
        slow.end(name);
      }
    },
  );

  it('a schedule fires at its times, once however often it was set, and never after its removal', async () => {
    const ran: string[] = [];
    consumers.push(queues.consumeTasks(handlers(ran)), queues.consumeTasks(handlers(ran)));
    const runs = (id: string) => ran.filter((task) => task === `run ${id}`).length;
    const everySecond = { cron: '* * * * * *', timezone: 'Europe/Berlin' };
    await queues.schedule('s1', { cron: '0 0 1 1 *', timezone: 'UTC' });
    await queues.schedule('once', everySecond);
    await Promise.all([1, 2, 3].map(() => queues.schedule('s1', everySecond)));
    await expect.poll(() => runs('once')).toBeGreaterThanOrEqual(3);
    expect(runs('s1')).toBeGreaterThanOrEqual(1);
    // As often as what was set once, except for a run at the end.
    expect(runs('s1')).toBeLessThanOrEqual(runs('once') + 1);
    await queues.unschedule('s1');
    const before = runs('s1');
    const others = runs('once');
    await expect.poll(() => runs('once')).toBeGreaterThanOrEqual(others + 2);
    // One run may have been queued already.
    expect(runs('s1')).toBeLessThanOrEqual(before + 1);
    expect(new Set(ran)).toEqual(new Set(['run s1', 'run once']));
  });

  it('are repeated at an interval, once however many processes schedule them', async () => {
    const ran: string[] = [];
    consumers.push(queues.consumeTasks(handlers(ran)), queues.consumeTasks(handlers(ran)));
    await queues.every({ name: 'prune-cache' }, 500);
    await Promise.all([1, 2, 3].map(() => queues.every({ name: 'sweep' }, 500)));
    const runs = (name: string) => ran.filter((task) => task === name).length;
    await expect.poll(() => runs('prune-cache')).toBeGreaterThanOrEqual(6);
    // As often as what one process schedules, except for the runs at the start and at the end.
    expect(runs('sweep')).toBeGreaterThanOrEqual(4);
    expect(runs('sweep')).toBeLessThanOrEqual(runs('prune-cache') + 2);
  });
});
