/**
 * Malicious sources: what each does, and what must follow. All jobs run at once on one worker. Each
 * row checks its own job; the last test checks the directory that all of them wrote to.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from './harness.ts';
import { type HostileRegistry, type Hostility, startHostile } from './hostile.ts';
import { ANSWERS } from './hostility/answers.ts';
import { type Follows, type HostileCase, LOGIN, ordinary } from './hostility/case.ts';
import { DOCUMENTS } from './hostility/documents.ts';
import { ELSEWHERE } from './hostility/elsewhere.ts';

const CASES: HostileCase[] = [...ANSWERS, ...DOCUMENTS, ...ELSEWHERE];
/** Peak memory of the worker. Reads are bounded, whatever the sources send. */
const MOST_MEMORY = 600 * 1024 * 1024;

interface Run {
  jobId: string;
  image: TestImage | undefined;
  source: HostileRegistry;
}

let harness: Harness;
let worker: WorkerProcess;
let elsewhere: HostileRegistry;
const runs = new Map<string, Run>();
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  harness = parts.use(await openHarness());
  const images = new Map<HostileCase, TestImage[]>();
  for (const each of CASES) images.set(each, await (each.images ?? ordinary)());
  elsewhere = parts.use(await startHostile([...images.values()].flat(), givesTokens));
  worker = await harness.startWorker({
    WORKER_CONCURRENCY: 'pull=16,scan=4,push=1',
    MAX_PER_HOST: '4',
    STAGE_TRIES: '1',
    SILENCE_SECONDS: '5',
  });
  for (const each of CASES) runs.set(each.source, await begin(each, images.get(each) ?? []));
});
afterAll(() => parts.disposeAsync());

const givesTokens: Hostility = ({ path: tokenPath }, response) => {
  if (!tokenPath.startsWith('/token')) return false;
  response.end(JSON.stringify({ token: 'good' }));
  return true;
};

async function begin(
  { behave, login, referrers = false, source: name }: HostileCase,
  images: TestImage[],
): Promise<Run> {
  const source = parts.use(await startHostile(images, behave?.({ elsewhere }) ?? (() => false)));
  const job = await harness.submit({
    image: `team/hostile-${runs.size}`,
    tag: '1',
    host: source.host,
    withReferrers: referrers,
    ...(login && { sourceCredentials: LOGIN }),
  });
  expect(runs.has(name), name).toBe(false);
  return { jobId: job.id, image: images[0], source };
}

const words = (follows: Follows) =>
  follows === 'staged'
    ? 'is staged, byte for byte'
    : `ends in ${follows.code}, which ${follows.retryable ? 'may' : 'can not'} pass`;

describe('a source that', () => {
  it.each(CASES.map((each) => [each.source, words(each.follows), each] as const))(
    '%s %s',
    async (name, _, { follows, atMost = 60 }) => {
      const run = runs.get(name);
      if (!run) throw new Error('it was not begun');
      const job = await harness.settled(run.jobId);
      const { status: ended, digest, error, attempts } = job;
      if (follows === 'staged') {
        expect({ ended, digest, error }).toEqual({
          ended: 'staged',
          digest: run.image?.digest,
          error: null,
        });
        expect(await wrongIn(path.join(staging(), run.jobId, 'blobs'))).toEqual([]);
      } else {
        const { code, retryable, side } = error ?? {};
        const given = { ended, attempts, side, code, retryable };
        expect(given, error?.message).toEqual({
          ended: 'failed',
          attempts: 1,
          side: 'source',
          ...follows,
        });
        expect(error?.message).toMatch(/\S/);
      }
      expect(run.source.seen.length).toBeLessThanOrEqual(atMost);
    },
  );
});

const staging = () => path.join(harness.dataDir, 'cache/staging');

/** Files below a path whose content doesn't match the digest in their name. */
async function wrongIn(dir: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const name of await readdir(dir, { recursive: true })) {
    const file = path.join(dir, name);
    if ((await stat(file)).isDirectory()) continue;
    const hash = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    if (name !== `sha256/${hash}`) wrong.push(name);
  }
  return wrong;
}

describe('after all of them', () => {
  it('the cache has only complete blobs and their partial files', async () => {
    const wrong = await wrongIn(path.join(harness.dataDir, 'cache/blobs'));
    expect(wrong.filter((name) => !/^partial\/sha256-[0-9a-f]{64}\./.test(name))).toEqual([]);
  });

  it('leftovers of broken downloads do not affect correct sources of the same images', async () => {
    const failed = CASES.filter(({ images, follows }) => !images && follows !== 'staged');
    const jobs = failed.map(({ source }) => {
      const tag = runs.get(source)?.image?.digest ?? '';
      return harness.submit({ image: 'team/honest', tag, host: elsewhere.host });
    });
    for (const { id } of await Promise.all(jobs)) {
      expect(await harness.settled(id)).toMatchObject({ status: 'staged', error: null });
      expect(await wrongIn(path.join(staging(), id, 'blobs'))).toEqual([]);
    }
  });

  it('no credentials reached another host, and no address in a manifest was requested', () => {
    expect(elsewhere.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    const paths = elsewhere.seen.map((request) => request.path).join('\n');
    expect(paths).not.toContain(encodeURIComponent(LOGIN.password));
    expect(paths).not.toContain('stolen');
  });

  it('the memory of the worker stayed below its limit', async () => {
    const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
    const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    expect(peak).toBeLessThan(MOST_MEMORY);
  });

  it('deleted jobs leave nothing', async () => {
    for (const jobId of await readdir(staging())) {
      await harness.store.jobs.remove(jobId);
      await harness.queues.enqueue({ name: 'discard', jobId });
    }
    await expect.poll(() => readdir(staging())).toEqual([]);
  });
});
