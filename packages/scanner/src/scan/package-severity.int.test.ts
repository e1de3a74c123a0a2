/**
 * For every possible policy, the policy blocks exactly what `trivy --severity … --ignore-unfixed`
 * finds.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  DEFAULT_POLICY,
  judge,
  type ScanReport,
  SEVERITIES,
  type Severity,
} from '@portcullis/domain';
import { createLogger } from '@portcullis/runtime';
import {
  debianImage,
  npmFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner, scannerPaths } from '../index.ts';

const execute = promisify(execFile);
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

let trivy: string;
let registry: TestRegistry;
let data: TemporaryDir;
let report: ScanReport;
let layout: string;

beforeAll(async () => {
  trivy = await testTrivy();
  [registry, data] = await Promise.all([startRegistry(), temporaryDir()]);
  const log = createLogger({ name: 'scanner-test', level: 'silent' });
  const scanner = createScanner({ dataDir: data.path, log, trivyPath: () => trivy });
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registry.url)] });
  const image = await debianImage({
    packages: [
      // One vulnerability: HIGH without a fix in one package, LOW with a fix in the other.
      { name: 'shared', version: '1' },
      { name: 'shared2', version: '1' },
      { name: 'tar', version: '1.34+dfsg-1.2' },
      { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
      { name: 'bash', version: '5.2.15-2' },
    ],
    more: [npmFiles([{ name: 'lodash', version: '4.17.10' }])],
  });
  layout = join(data.path, 'layout');
  await writeLayout(layout, image);
  const targets = [{ digest: image.digest, platform: null }];
  ({ report } = await scanner.scan(layout, { targets, timeoutSeconds: 60 }));
  await scanner.close();
  layout = `${layout}@${image.digest}`;
});
afterAll(async () => {
  await Promise.all([registry?.stop(), data?.remove()]);
});

/** What Trivy itself finds with these options. */
async function findings(severities: Severity[], ignoreUnfixed: boolean): Promise<number> {
  const { databases } = scannerPaths(data.path);
  const [id = ''] = (await readdir(databases)).filter((name) => /^\d{14}-/.test(name));
  const home = join(data.path, 'home');
  await mkdir(home, { recursive: true });
  const { stdout } = await execute(
    trivy,
    [
      ...['image', '--input', layout, '--format', 'json', '--quiet', '--scanners', 'vuln'],
      ...['--skip-db-update', '--skip-java-db-update', '--offline-scan', '--skip-version-check'],
      ...['--disable-telemetry', '--cache-dir', join(databases, id), '--cache-backend', 'memory'],
      ...['--severity', severities.join(','), ...(ignoreUnfixed ? ['--ignore-unfixed'] : [])],
    ],
    { env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: home } },
  );
  const { Results = [] }: { Results?: { Vulnerabilities?: unknown[] }[] } = JSON.parse(stdout);
  return Results.reduce((sum, { Vulnerabilities = [] }) => sum + Vulnerabilities.length, 0);
}

/** Every list of severities except the empty one, which for Trivy means all of them. */
const LISTS = Array.from({ length: 2 ** SEVERITIES.length - 1 }, (_, bits) =>
  SEVERITIES.filter((_, at) => (bits + 1) & (1 << at)),
);

describe.each([
  ['whether fixed or not', false],
  ['where there is a fix', true],
])('S8: a policy blocks exactly what plain Trivy finds, %s', (_, ignoreUnfixed) => {
  it.each(LISTS.map((severities) => [severities.join(' '), severities] as const))(
    '%s',
    async (_, severities) => {
      const { verdict } = judge(
        report,
        { ...DEFAULT_POLICY, severities, ignoreUnfixed },
        NO_OVERRIDES,
      );
      expect(verdict === 'blocked').toBe((await findings([...severities], ignoreUnfixed)) > 0);
    },
  );
});

it('an empty list of severities blocks nothing', () => {
  expect(judge(report, { ...DEFAULT_POLICY, severities: [] }, NO_OVERRIDES).verdict).toBe(
    'findings',
  );
});

it('the report lists the vulnerability once, with the ratings of each of its packages', () => {
  const shared = report.vulnerabilities.find(({ id }) => id === 'CVE-2099-0010');
  expect(shared).toMatchObject({
    severity: 'HIGH',
    packages: [
      { name: 'shared', severity: 'HIGH', severitySource: 'debian', fixedVersion: null },
      { name: 'shared2', severity: 'LOW', severitySource: 'debian', fixedVersion: '2.0' },
    ],
  });
});
