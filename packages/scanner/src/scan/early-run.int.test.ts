/** Trivy that is started before the image is there. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
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
import { ends, written } from '../process/run.contract.ts';
import { type ScannerKit, startScanner } from '../scanner.fixture.ts';

let kit: ScannerKit;
let dir: TemporaryDir;
let scanner: Scanner;
let serial = 0;
const runs = () => readdir(scannerPaths(kit.data.path).runs);
const starts = async () => (await readFile(join(dir.path, 'starts'), 'utf8')).trim().split('\n');

beforeAll(async () => {
  kit = await startScanner();
});
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(async () => {
  await scanner.close();
  expect(await runs()).toEqual([]);
  await dir.remove();
});
afterAll(() => kit?.stop());

/** The real one, which notes each start of itself; `first`: what it does first, once. */
async function scannerWith(first = ''): Promise<void> {
  const program = join(dir.path, 'trivy');
  const note = `echo $$ >> '${dir.path}/starts'\n`;
  const once = `if mkdir '${dir.path}/once' 2>/dev/null; then :\n${first}\nfi\n`;
  await writeFile(program, `#!/bin/sh\n${note}${once}exec '${await testTrivy()}' "$@"\n`, {
    mode: 0o755,
  });
  const log = createLogger({ name: 'test', level: 'silent' });
  scanner = createScanner({
    ...{ dataDir: kit.data.path, redisUrl: kit.redis.url, log },
    trivyPath: () => program,
  });
}

/** With layers that no scan has read. */
function newImage(): Promise<TestImage> {
  return debianImage({
    packages: [{ name: 'openssl', version: '3.0.11-1~deb12u1' }],
    more: [randomFiles(1_000, `${++serial}.bin`)],
  });
}

async function scanned({ digest, ...image }: TestImage) {
  const layoutDir = await kit.layoutOf({ digest, ...image });
  return scanner.scan(layoutDir, { targets: [{ digest, platform: null }], timeoutSeconds: 60 });
}

const started = () => written(join(dir.path, 'starts'));

it('scans the image that it waits for, as one that is started with the scan', async () => {
  await scannerWith();
  const image = await newImage();
  scanner.expect(image.digest, 60);
  await started();
  const { report } = await scanned(image);
  expect(await starts()).toHaveLength(1);
  expect(report.coverage).toBe('full');
  expect(report.vulnerabilities).not.toEqual([]);
  const again = await scanned(image);
  expect(await starts()).toHaveLength(2);
  expect(again.report).toEqual(report);
});

it('is left to the image that was expected', async () => {
  await scannerWith();
  const [expected, other] = [await newImage(), await newImage()];
  scanner.expect(expected.digest, 60);
  await started();
  await scanned(other);
  expect(await starts()).toHaveLength(2);
  await scanned(expected);
  expect(await starts()).toHaveLength(2);
});

it('that ends before there is an image is replaced by another', async () => {
  await scannerWith('exit 1');
  const image = await newImage();
  scanner.expect(image.digest, 60);
  await ends(await started());
  expect((await scanned(image)).report.coverage).toBe('full');
  expect(await starts()).toHaveLength(2);
});

it('is one at most, and none while another image is scanned', async () => {
  await scannerWith();
  const [first, second] = [await newImage(), await newImage()];
  scanner.expect(first.digest, 60);
  scanner.expect(second.digest, 60);
  await started();
  const scanning = scanned(first);
  scanner.expect(second.digest, 60);
  await scanning;
  expect(await starts()).toHaveLength(1);
});

it('ends with an image that is refused, and with the scanner', async () => {
  await scannerWith();
  const image = await newImage();
  scanner.expect(image.digest, 60);
  const pid = await started();
  const layoutDir = await kit.layoutOf({ ...image, blobs: image.blobs.slice(0, 1) });
  const targets = [{ digest: image.digest, platform: null }];
  await expect(scanner.scan(layoutDir, { targets, timeoutSeconds: 60 })).rejects.toMatchObject({
    code: 'SCAN_LAYOUT_INVALID',
  });
  await ends(pid);
  const next = await newImage();
  scanner.expect(next.digest, 60);
  await expect.poll(async () => (await starts()).length).toBe(2);
  const [, last = ''] = await starts();
  await scanner.close();
  await ends(Number(last));
});

it('is not started for an image whose scan is stored', async () => {
  await scannerWith();
  const image = await newImage();
  const targets = [{ digest: image.digest, platform: null }];
  const ready = { state: 'ready', path: join(dir.path, 'trivy'), version: PINNED_VERSION } as const;
  await writeBinaryState(scannerPaths(kit.data.path).state, { ...ready, message: '' });
  const reportDir = join(dir.path, 'reports');
  const request = { targets, timeoutSeconds: 60, reportDir };
  await scanner.scan(await kit.layoutOf(image), request);
  expect(await scanner.hasStoredScan(image.digest)).toBe(true);
  scanner.expect(image.digest, 60);
  await scanned(await newImage());
  expect(await starts()).toHaveLength(2);
});
