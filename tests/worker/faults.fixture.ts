/** What faults.int and faults-permanent.night start, and how they look at it. */
import {
  pushImage,
  randomImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Harness, openHarness, type WorkerProcess } from './harness.ts';
import { type Behaviour, type FaultyRegistry, startProxy } from './proxy.ts';

export let harness: Harness;

export let source: TestRegistry;

export let worker: WorkerProcess;

let counter = 0;

export async function pullThrough(behaviour: (image: TestImage) => Behaviour) {
  const repository = `team/faulty-${++counter}`;
  const image = await randomImage({ layers: 2, bytes: 400_000 });
  await pushImage(source.url, repository, '1', image);
  const through: FaultyRegistry = await startProxy(source.url, behaviour(image));
  onTestFinished(() => through[Symbol.asyncDispose]());
  const job = await harness.submit({ image: repository, tag: '1', host: through.host });
  return { image, through, job: await harness.settled(job.id) };
}

export const isBlob = ({ path }: { path: string }) => path.includes('/blobs/sha256:');

export function startFaulty(): void {
  beforeAll(async () => {
    [harness, source] = await Promise.all([openHarness(), startRegistry()]);
    worker = await harness.startWorker({ STAGE_TRIES: '3' });
  });
  afterAll(async () => {
    await harness?.[Symbol.asyncDispose]();
    await source?.stop();
  });
}
