import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { run } from '../process/run.ts';
import { exportNames, exportReport, MAX_MERGED_BYTES } from './export-report.ts';
import { chooseReports } from './report-store.ts';

const NAME = { registry: 'registry.example', repository: 'app', tag: '1', digest: 'sha256:00' };
const LIST = [
  { digest: 'sha256:1', platform: 'linux/amd64', file: 'sha256-1.json', config: 'sha256:8' },
  { digest: 'sha256:2', platform: 'linux/arm64', file: 'sha256-2.json', config: 'sha256:9' },
];
const SARIF = { format: 'sarif', platform: null } as const;

async function reportsIn(dir: string) {
  await writeFile(join(dir, 'reports.json'), JSON.stringify(LIST));
  for (const { file, platform } of LIST)
    await writeFile(
      join(dir, file),
      JSON.stringify({ ArtifactName: platform, Results: [] }, null, 2),
    );
}

/** A fake Trivy whose every conversion has the given number of bytes. */
async function opener(dir: string, bytes: number) {
  const trivyPath = join(dir, 'scanner');
  const script = `#!/bin/sh
out=; while [ $# -gt 0 ]; do [ "$1" = --output ] && out=$2; shift; done
printf '{"runs": [{}]}' > "$out"; truncate -s '>${bytes}' "$out"
`;
  await writeFile(trivyPath, script, { mode: 0o700 });
  return async () => ({
    trivyPath,
    run,
    dir: { path: dir, home: dir, tmp: dir, [Symbol.asyncDispose]: async () => undefined },
    [Symbol.asyncDispose]: async () => undefined,
  });
}

const noScanner = () => Promise.reject(new Error('no scanner is needed'));

describe('an exported report', () => {
  it('is not taken from a cache of an older format', async () => {
    await using dir = await temporaryDir();
    await reportsIn(dir.path);
    await writeFile(join(dir.path, 'all.1.sarif'), 'stale');
    expect(await readdir(dir.path)).not.toContain(exportNames(SARIF).file);
  });

  it('as JSON has all platforms in one document, without a scanner', async () => {
    await using dir = await temporaryDir();
    await reportsIn(dir.path);
    const { path } = await exportReport(
      dir.path,
      { format: 'json', platform: null },
      NAME,
      noScanner,
    );
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      image: 'registry.example/app:1@sha256:00',
      platforms: [
        {
          platform: 'linux/amd64',
          digest: 'sha256:1',
          report: { Metadata: { ImageID: 'sha256:8' } },
        },
        {
          platform: 'linux/arm64',
          digest: 'sha256:2',
          report: { Metadata: { ImageID: 'sha256:9' } },
        },
      ],
    });
  });

  it('is refused where a platform is too large to be merged, without a retry, and is available for one platform', async () => {
    await using dir = await temporaryDir();
    await reportsIn(dir.path);
    const open = await opener(dir.path, MAX_MERGED_BYTES + 1);
    const refused = { kind: 'too_large', code: 'REPORT_TOO_LARGE' };
    await expect(exportReport(dir.path, SARIF, NAME, open)).rejects.toMatchObject(refused);
    expect(await readdir(dir.path)).toContain(exportNames(SARIF).refusal);
    const one = await exportReport(dir.path, { ...SARIF, platform: 'linux/arm64' }, NAME, open);
    await truncate(one.path, 14);
    expect(JSON.parse(await readFile(one.path, 'utf8'))).toEqual({ runs: [{}] });
  });
});

it('of one platform is never that of another, whatever the index names them', async () => {
  const platforms = [
    'linux/amd64',
    'linux//amd64',
    'linux+amd64',
    'all',
    `linux/${'x'.repeat(300)}`,
  ];
  await using dir = await temporaryDir();
  const list = platforms.map((platform, at) => ({
    digest: `sha256:${at}`,
    platform,
    file: `${at}.json`,
  }));
  await writeFile(join(dir.path, 'reports.json'), JSON.stringify(list));
  for (const { file } of list)
    await writeFile(
      join(dir.path, file),
      JSON.stringify({ ArtifactName: 'x', Results: [] }, null, 2),
    );
  for (const [at, platform] of platforms.entries()) {
    const { path } = await exportReport(dir.path, { format: 'json', platform }, NAME, noScanner);
    expect(JSON.parse(await readFile(path, 'utf8')).Metadata.RepoDigests).toEqual([
      `registry.example/app@sha256:${at}`,
    ]);
  }
  expect(await readdir(dir.path)).not.toContain(
    exportNames({ format: 'json', platform: null }).file,
  );
});

describe('a platform without a report', () => {
  it.each([
    [
      'names those there are',
      LIST.map(({ platform }) => ({ platform })),
      'linux/amd64, linux/arm64',
    ],
    ['says so where the image names none', [{ platform: null }], 'names no platforms'],
  ])('%s', (_, reports: { platform: string | null }[], message) => {
    expect(() => chooseReports(reports, 'linux/s390x')).toThrow(
      expect.objectContaining({
        code: 'PLATFORM_UNKNOWN',
        message: expect.stringContaining(message),
      }),
    );
  });
});
