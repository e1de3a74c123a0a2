import { createHash } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { checkTrivy, TRIVY_PROGRAM } from './program.ts';

async function withTrivy<T>(version: string, use: (path: string) => Promise<T>): Promise<T> {
  const dir = await temporaryDir();
  const path = join(dir.path, 'trivy');
  await writeFile(path, `#!/bin/sh\necho "Version: ${version}"\n`);
  await chmod(path, 0o755);
  try {
    return await use(path);
  } finally {
    await dir.remove();
  }
}

it('an accepted Trivy has a version', async () => {
  expect(await withTrivy('0.71.0', (path) => checkTrivy(path))).toBe('0.71.0');
});

it.each([
  ['0.69.5', /intruder/],
  ['0.60.0', /too old/],
  ['dev', /does not run as Trivy/],
])('%s is refused with the reason', async (version, message) => {
  const checking = withTrivy(version, (path) => checkTrivy(path));
  await expect(checking).rejects.toMatchObject({
    code: 'SCANNER_UNAVAILABLE',
    message: expect.stringMatching(message),
  });
});

it('a check ends with its signal', async () => {
  const stopped = AbortSignal.abort(new Error('stop'));
  await expect(checkTrivy('/nonexistent/trivy', stopped)).rejects.toThrow('stop');
});

it('where there is none, the reasons and what to do are said', () => {
  expect(TRIVY_PROGRAM.missing(['github.com can’t be used']).message).toMatch(
    /^there is no scanner; github\.com can’t be used; install Trivy 0\.74\.0 and name it in TRIVY_PATH/,
  );
});

it('another main function is another program in the cache', async () => {
  const main = await readFile(join(TRIVY_PROGRAM.module.dir, 'main.go'));
  const sum = createHash('sha256').update(main).digest('hex');
  expect(TRIVY_PROGRAM.pin).toBe(`0.74.0-${sum.slice(0, 8)}`);
});
