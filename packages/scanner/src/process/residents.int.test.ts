/** Trivy that stays: what it says of an image is what a new process says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@portcullis/runtime';
import {
  debianImage,
  randomFiles,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { PINNED_VERSION } from '../acquire/version.ts';
import { createScanner, type Scanner, scannerPaths, writeBinaryState } from '../index.ts';
import { type ScannerKit, startScanner } from '../scanner.fixture.ts';
import { ends, written } from './run.contract.ts';

let kit: ScannerKit;
let dir: TemporaryDir;
let scanner: Scanner;
let serial = 0;

beforeAll(async () => {
  kit = await startScanner();
});
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(async () => {
  await scanner.close();
  expect(await directories()).toEqual([]);
  await dir.remove();
});
afterAll(() => kit?.stop());

async function directories(): Promise<string[]> {
  const { runs, residents } = scannerPaths(kit.data.path);
  const names = await Promise.all([runs, residents].map((each) => readdir(each).catch(() => [])));
  return names.flat();
}

/** The real one, which notes each start of itself; `first`: what it does before. */
async function programWith(first = ''): Promise<string> {
  const program = join(dir.path, 'trivy');
  const note = `echo $$ >> '${dir.path}/starts'`;
  const script = ['#!/bin/sh', note, first, `exec '${await testTrivy()}' "$@"`];
  await writeFile(program, script.join('\n'), { mode: 0o755 });
  return program;
}

async function scannerWith(first = ''): Promise<void> {
  const program = await programWith(first);
  const log = createLogger({ name: 'test', level: 'silent' });
  scanner = createScanner({
    ...{ dataDir: kit.data.path, redisUrl: kit.redis.url, log },
    trivyPath: () => program,
  });
}

const started = () => written(join(dir.path, 'starts'));
const starts = async () =>
  (await readFile(join(dir.path, 'starts'), 'utf8')).trim().split('\n').map(Number);

/** With a layer that no scan has read. */
function newImage(more: Parameters<typeof debianImage>[0] = {}): Promise<TestImage> {
  return debianImage({
    packages: [{ name: 'openssl', version: '3.0.11-1~deb12u1' }],
    ...more,
    more: [randomFiles(1_000, `${++serial}.bin`), ...(more.more ?? [])],
  });
}

async function scanned(image: TestImage, options: { signal?: AbortSignal } = {}) {
  const layoutDir = await kit.layoutOf(image);
  const targets = [{ digest: image.digest, platform: null }];
  return scanner.scan(layoutDir, { targets, timeoutSeconds: 60, ...options });
}

/** Trivy warns of its version, and judges nothing of it. */
const WARNED = { packages: [{ name: 'openssl', version: 'x y_z' }] };

it('one process scans one image after the other, and says what new ones say', async () => {
  await scannerWith();
  const images = [await newImage(), await newImage(), await newImage({ packages: [] })];
  const reports = [];
  for (const image of images) reports.push((await scanned(image)).report);
  expect(await starts()).toHaveLength(1);
  expect(reports.map(({ vulnerabilities }) => vulnerabilities.length > 0)).toEqual([
    ...[true, true, false],
  ]);
  await scanner.close();
  await scannerWith('[ "$1" = resident ] && exit 1');
  for (const [nth, image] of images.entries())
    expect((await scanned(image)).report).toEqual(reports[nth]);
  // That it does not stay is learned once.
  expect(await starts()).toHaveLength(1 + 1 + images.length);
});

it('it starts while an image is downloaded, and is one', async () => {
  await scannerWith();
  const image = await newImage();
  scanner.expect(image.digest);
  await started();
  scanner.expect((await newImage()).digest);
  expect((await scanned(image)).report.coverage).toBe('full');
  expect(await starts()).toHaveLength(1);
});

it('it does not start for an image whose scan is stored', async () => {
  await scannerWith();
  const image = await newImage();
  const path = join(dir.path, 'trivy');
  const ready = { state: 'ready', path, version: PINNED_VERSION, message: '' } as const;
  await writeBinaryState(scannerPaths(kit.data.path).state, ready);
  const targets = [{ digest: image.digest, platform: null }];
  const reportDir = join(dir.path, 'reports');
  await scanner.scan(await kit.layoutOf(image), { targets, timeoutSeconds: 60, reportDir });
  expect(await scanner.hasStoredScan(image.digest)).toBe(true);
  const [pid = 0] = await starts();
  process.kill(pid, 'SIGKILL');
  await ends(pid);
  scanner.expect(image.digest);
  await scanned(await newImage());
  expect(await starts()).toHaveLength(2);
});

it('a process that warned scans nothing else: some warnings are given once', async () => {
  await scannerWith();
  for (const image of [await newImage(WARNED), await newImage(WARNED)])
    expect((await scanned(image)).report.gaps).toContainEqual(
      expect.objectContaining({ kind: 'scanner_warning' }),
    );
  expect(await starts()).toHaveLength(2);
});

it('a process that is killed is replaced: between two scans, and within one', async () => {
  await scannerWith();
  await scanned(await newImage());
  const [idle = 0] = await starts();
  process.kill(idle, 'SIGKILL');
  await ends(idle);
  await scanned(await newImage());
  const [, stopped = 0] = await starts();
  process.kill(stopped, 'SIGSTOP');
  const scanning = scanned(await newImage());
  await expect.poll(directories).toHaveLength(2);
  process.kill(stopped, 'SIGKILL');
  expect((await scanning).report.coverage).toBe('full');
  await ends(stopped);
});

it('a process ends with the scan that is cancelled', async () => {
  await scannerWith();
  await scanned(await newImage());
  const [pid = 0] = await starts();
  process.kill(pid, 'SIGSTOP');
  const cancelling = new AbortController();
  const reason = new Error('cancelled');
  const scanning = scanned(await newImage(), { signal: cancelling.signal });
  await expect.poll(directories).toHaveLength(2);
  cancelling.abort(reason);
  await expect(scanning).rejects.toBe(reason);
  await ends(pid);
});

it('no image is shown to it that was refused, and it ends with the scanner', async () => {
  await scannerWith();
  const image = await newImage();
  const layoutDir = await kit.layoutOf({ ...image, blobs: image.blobs.slice(0, 1) });
  const targets = [{ digest: image.digest, platform: null }];
  await expect(scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).rejects.toMatchObject({
    code: 'SCAN_LAYOUT_INVALID',
  });
  const pid = await started();
  await scanner.close();
  await ends(pid);
});

it('it has nothing of our environment, and a password in no argument', async () => {
  await scannerWith();
  await scanned(await newImage());
  const [pid = 0] = await starts();
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  const names = environment.split('\0').map((each) => each.split('=')[0]);
  expect(names.toSorted()).toEqual(['', 'GOGC', 'GOMEMLIMIT', 'HOME', 'PWD', 'TMPDIR']);
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/trivy\0resident\0$/);
});

it('it ends with a worker that is killed while it scans', async () => {
  await scannerWith();
  const image = await newImage();
  const layoutDir = await kit.layoutOf(image);
  const layer = join(
    layoutDir,
    'blobs',
    (image.blobs.at(-1)?.descriptor.digest ?? '').replace(':', '/'),
  );
  await rm(layer);
  // It is read for ever.
  await once(spawn('/usr/bin/mkfifo', [layer]), 'exit');
  const program = await programWith();
  const worker = kit.startProcess({ layoutDir, digest: image.digest }, { program });
  const pid = await started();
  worker.kill('SIGKILL');
  await ends(pid);
  await kit.scanner.clearLeftovers();
});
