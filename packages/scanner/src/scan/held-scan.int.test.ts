/** Trivy is started while an image is verified, and waits for what it is given. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@portcullis/runtime';
import {
  debianImage,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
  unshared,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createScanner, scannerPaths } from '../index.ts';
import { ends, written } from '../process/run.contract.ts';
import { type ScannerKit, startScanner } from '../scanner.fixture.ts';

let kit: ScannerKit;
let dir: TemporaryDir;
beforeAll(async () => {
  kit = await startScanner();
});
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(() => dir.remove());
afterAll(() => kit?.stop());

/** One that says as which process it runs, and what it read of the index once that ended. */
async function trivyThatSays() {
  const [program, begun, read] = [join(dir.path, 'a'), join(dir.path, 'b'), join(dir.path, 'c')];
  const script = `#!/bin/sh\necho $$ > '${begun}'\ncat image/index.json > '${read}.new'\nmv '${read}.new' '${read}'\n`;
  await writeFile(program, script, { mode: 0o755 });
  return { program, begun, read };
}

/** With a layer that was never read. */
function newImage(): Promise<TestImage> {
  return debianImage({ more: [{ file: crypto.randomUUID() }] });
}

function lastLayer({ blobs }: TestImage, layoutDir: string): string {
  const digest = blobs.at(-1)?.descriptor.digest ?? '';
  return join(layoutDir, 'blobs', digest.replace(':', '/'));
}

it('a scan needs no program that makes named pipes', async () => {
  const image = await debianImage();
  const layoutDir = await kit.layoutOf(image);
  const hidden = 'mount --bind /bin/false "$(command -v mkfifo)" && exec "$@"';
  const prefix = [...unshared('--mount'), 'sh', '-c', hidden, 'sh'];
  const child = kit.startProcess({ layoutDir, digest: image.digest }, { prefix });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('an image that is refused is not shown to Trivy, which ends', async () => {
  const { program, read } = await trivyThatSays();
  const image = await newImage();
  const layoutDir = await kit.layoutOf(image);
  await rm(lastLayer(image, layoutDir));
  const log = createLogger({ name: 'test', level: 'silent' });
  const waiting = createScanner({ dataDir: kit.data.path, log, trivyPath: () => program });
  const targets = [{ digest: image.digest, platform: null }];
  const scanning = waiting.scan(layoutDir, { targets, timeoutSeconds: 60 });
  await expect(scanning).rejects.toMatchObject({ code: 'SCAN_LAYOUT_INVALID' });
  expect(await readFile(read, 'utf8').catch(() => '')).toBe('');
  expect(await readdir(scannerPaths(kit.data.path).runs)).toEqual([]);
  await waiting.close();
});

it('a process that is killed leaves no Trivy that waits', async () => {
  const { program, begun, read } = await trivyThatSays();
  const image = await newImage();
  const layoutDir = await kit.layoutOf(image);
  const layer = lastLayer(image, layoutDir);
  await rm(layer);
  // It is read for ever.
  await once(spawn('/usr/bin/mkfifo', [layer]), 'exit');
  const child = kit.startProcess({ layoutDir, digest: image.digest }, { program });
  const pid = await written(begun);
  expect(existsSync(read)).toBe(false);
  child.kill('SIGKILL');
  await ends(pid);
  // It is killed, or reads to the end of a pipe that no process holds any more.
  expect(await readFile(read, 'utf8').catch(() => '')).toBe('');
});
