/** F6: a pull must not fill the disk with the embedded database. Runs on a small separate disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StagingJob } from '@portcullis/domain';
import {
  eventually,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
  temporaryDir,
  unshared,
  within,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { startProxy } from './proxy.ts';

const MIB = 1024 * 1024;
const RESERVE = 16 * MIB;

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

/**
 * A tmpfs in a separate mount namespace, where the workers run. `free` and the filler reach it
 * through the process that holds the namespace.
 */
async function smallDisk(bytes: number) {
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const script = `mount -t tmpfs -o size=${bytes} tmpfs "$1" && echo mounted && exec sleep infinity`;
  const [command = '', ...args] = [...unshared('--mount'), 'sh', '-c', script, 'sh', dir.path];
  const holder = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  onTestFinished(async () => {
    holder.kill();
    await ended;
  });
  const [said] = await Promise.race([once(holder.stdout, 'data'), ended]);
  expect(String(said)).toBe('mounted\n');
  const { pid = 0 } = holder;
  const seen = `/proc/${pid}/root${dir.path}`;
  const free = async () => {
    const { bavail, bsize } = await statfs(seen);
    return bavail * bsize;
  };
  const filler = path.join(seen, 'filler');
  return {
    dir: dir.path,
    prefix: within(pid),
    free,
    /** Fills the disk except for this many bytes. */
    fillUpTo: async (left: number) => writeFile(filler, new Uint8Array((await free()) - left)),
    preempt: () => rm(filler),
  };
}

async function worker(disk: { prefix: string[] }, env: Record<string, string>) {
  const settings = { DISK_RESERVE: String(RESERVE), STAGE_BACKOFF_MAX_SECONDS: '1', ...env };
  const started = await harness.startWorker(settings, disk.prefix);
  onTestFinished(() => started.kill('SIGKILL'));
  return started;
}

async function imageOf(bytes: number, repository: string) {
  const image = await randomImage({ layers: 1, bytes });
  await pushImage(source.url, repository, '1', image);
  return image;
}

const waitsForSpace = ({ status, error }: StagingJob) =>
  (status === 'pull_queued' || status === 'push_queued') && error?.code === 'DISK_RESERVE';

it('an image that would leave less than the reserve is not started, and is pulled once there is space', async () => {
  const disk = await smallDisk(64 * MIB);
  await imageOf(24 * MIB, 'team/large');
  // Pulls leave 12 MiB beside the reserve for scans.
  await disk.fillUpTo(RESERVE + 20 * MIB);
  await worker(disk, { DATA_DIR: disk.dir });
  const job = await harness.submit({ image: 'team/large', tag: '1', host: source.host });
  const waiting = await harness.until(job.id, waitsForSpace);
  expect(waiting).toMatchObject({ attempts: 0, error: { retryable: true } });
  expect(waiting.error?.message).toMatch(
    /^2\d\.\d MiB more are wanted, .* stay free \(DISK_RESERVE\)$/,
  );
  expect(await disk.free()).toBeGreaterThan(RESERVE + 8 * MIB);
  await disk.preempt();
  expect(await harness.settled(job.id)).toMatchObject({ status: 'staged', error: null });
});

it('nothing is pulled while less than the reserve is free', async () => {
  const disk = await smallDisk(64 * MIB);
  await imageOf(MIB, 'team/small');
  const counting = await startProxy(source.url);
  onTestFinished(() => counting[Symbol.asyncDispose]());
  await disk.fillUpTo(RESERVE - MIB);
  const { lines } = await worker(disk, { DATA_DIR: disk.dir });
  const submit = (tag: string) => harness.submit({ image: 'team/small', tag, host: counting.host });
  const jobs = [await submit('1'), await submit('1'), await submit('1')];
  await eventually(() => lines.some((line) => line.includes('"waitsFor":["space"]')));
  // A job that was taken before the pause returns to the queue.
  for (const { id } of jobs) await harness.until(id, ({ status }) => status === 'pull_queued');
  expect(counting.seen).toEqual([]);
  await disk.preempt();
  for (const { id } of jobs) expect(await harness.settled(id)).toMatchObject({ status: 'staged' });
});

it('a pull stops when other programs fill the disk, and resumes', async () => {
  const disk = await smallDisk(160 * MIB);
  const image = await imageOf(96 * MIB, 'team/during');
  const behaviour = { rate: 12 * MIB };
  const slow = await startProxy(source.url, behaviour);
  onTestFinished(() => slow[Symbol.asyncDispose]());
  await worker(disk, { DATA_DIR: disk.dir });
  const job = await harness.submit({ image: 'team/during', tag: '1', host: slow.host });
  await harness.until(job.id, ({ status }) => status === 'pulling');
  await expect.poll(disk.free).toBeLessThan(150 * MIB);
  // Nearly stopped, because what arrives meanwhile has no place on a full disk.
  behaviour.rate = MIB / 4;
  await disk.fillUpTo(RESERVE - MIB);
  behaviour.rate = 12 * MIB;
  await harness.until(job.id, waitsForSpace);
  expect(await disk.free()).toBeGreaterThan(0);
  await disk.preempt();
  slow.behaviour = {};
  expect(await harness.settled(job.id)).toMatchObject({ status: 'staged', digest: image.digest });
});

it('a push to the built-in registry keeps the reserve of its disk, and continues once there is space', async () => {
  const disk = await smallDisk(64 * MIB);
  await imageOf(4 * MIB, 'team/push');
  await disk.fillUpTo(RESERVE + 2 * MIB);
  await worker(disk, { REGISTRY_STORAGE: disk.dir });
  const job = await harness.submit({ image: 'team/push', tag: '1', host: source.host });
  await harness.settled(job.id);
  await harness.push(job.id, { repository: 'gate/push' });
  const waiting = await harness.until(job.id, waitsForSpace);
  expect(waiting).toMatchObject({ status: 'push_queued', attempts: 0 });
  await disk.preempt();
  expect(await harness.settled(job.id)).toMatchObject({ status: 'pushed', error: null });
});
