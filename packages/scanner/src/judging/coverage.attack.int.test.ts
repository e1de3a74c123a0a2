/**
 * Images in which Trivy finds nothing because it did not look or had nothing to compare: none of
 * them may be clean.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import {
  alpineFiles,
  buildImage,
  debianFiles,
  eventually,
  type Files,
  jar,
  mavenJar,
  serveJavaDb,
  type TestImage,
  tar,
  testTrivy,
  WIDGET_JAR,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scannerPaths } from '../index.ts';
import { imageOfArchives, type ScannerKit, startScanner } from '../scanner.fixture.ts';

const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };
const VULNERABLE = [{ name: 'openssl', version: '3.0.11-1' }];
const CLEAN = [{ name: 'tzdata', version: '2024a-0' }];

let kit: ScannerKit;

beforeAll(async () => {
  kit = await startScanner();
});
afterAll(() => kit?.stop());

const scan = (image: TestImage) => kit.scan(image);

async function scanFiles(...layers: Files[]) {
  return scan(await buildImage({ layers }));
}

/** A Trivy that has done its work and does not end: its worker goes no further. */
async function trivyThatWaits({ end, ended }: { end: string; ended: string }): Promise<string> {
  const path = join(kit.data.path, 'waiting-trivy');
  const script = [
    '#!/bin/sh',
    '[ "$1" = resident ] && exit 1',
    `"${await testTrivy()}" "$@"`,
    'code=$?',
    `case " $* " in *" --input "*) : >"${ended}"; while [ ! -e "${end}" ]; do sleep 0.05; done ;; esac`,
    'exit $code',
  ];
  await writeFile(path, script.join('\n'), { mode: 0o755 });
  return path;
}

const verdict = (report: Awaited<ReturnType<typeof scan>>, change = {}) =>
  judge(report, { ...DEFAULT_POLICY, ...change }, NO_OVERRIDES).verdict;

function debian(release: string): Files {
  return debianFiles(VULNERABLE, release);
}

function ubuntu(release: string): Files {
  const lsb = `DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=${release}\nDISTRIB_CODENAME=x\n`;
  const { 'var/lib/dpkg/status': status = '' } = debianFiles(VULNERABLE);
  return { 'etc/lsb-release': lsb, 'var/lib/dpkg/status': status };
}

describe('S5: a release that the database does not know', () => {
  it.each<[string, Files, string]>([
    ['Debian 99.1', debian('99.1'), 'debian 99.1'],
    ['Debian forky/sid', debian('forky/sid'), 'debian forky/sid'],
    ['a Debian of no release', debian(''), 'debian'],
    ['Ubuntu 27.04', ubuntu('27.04'), 'ubuntu 27.04'],
    // Trivy knows this release, so it logs no warning: the database of this test has no bucket for
    // it.
    ['Ubuntu 24.04', ubuntu('24.04'), 'ubuntu 24.04'],
    [
      'Alpine 3.99',
      alpineFiles([{ name: 'musl', version: '1.2.5-r10' }], '3.99.0'),
      'alpine 3.99.0',
    ],
  ])('%s, with an openssl that Debian 12 is blocked for, is unscannable', async (_, files, os) => {
    const report = await scanFiles(files);
    expect(report.vulnerabilities).toEqual([]);
    expect(report.gaps).toEqual([{ kind: 'release_unknown', platform: null, os }]);
    expect(report.notes).toEqual([
      `the vulnerability database has no advisories for ${os}: its packages were not judged`,
    ]);
    expect(verdict(report)).toBe('unscannable');
  });

  it('Alpine 3.22 that names the repository of another release, which the scanner uses, is unscannable', async () => {
    const files = alpineFiles([{ name: 'musl', version: '1.2.5-r10' }]);
    expect((await scanFiles(files)).vulnerabilities).toHaveLength(1);
    const repositories = 'https://dl-cdn.alpinelinux.org/alpine/v3.99/main\n';
    const report = await scanFiles({ ...files, 'etc/apk/repositories': repositories });
    expect(report.vulnerabilities).toEqual([]);
    expect(verdict(report)).toBe('unscannable');
  });

  it('is found by the list that a scan makes where it is missing', async () => {
    const { id } = (await kit.scanner.database()) ?? { id: '' };
    await rm(join(scannerPaths(kit.data.path).databases, id, 'buckets.json'));
    expect(verdict(await scanFiles(debian('99.2')))).toBe('unscannable');
    expect(verdict(await scanFiles(debian('12.5')))).toBe('blocked');
  });
});

describe('S6: packages that the scanner omits as those of a third party', () => {
  function foreign(): Files {
    const files = debianFiles([...CLEAN, ...VULNERABLE]);
    const status = String(files['var/lib/dpkg/status']).replace(
      /Package: openssl\n(?:Maintainer: .*\n)?/,
      'Package: openssl\nMaintainer: NodeSource <engineering@nodesource.com>\n',
    );
    return { ...files, 'var/lib/dpkg/status': status };
  }

  it('leave the image unscannable, and are named', async () => {
    const report = await scanFiles(foreign());
    expect(report.vulnerabilities).toEqual([]);
    expect(report.notes).toEqual(['1 package of another maker has no advisories: openssl']);
    expect(verdict(report)).toBe('unscannable');
  });

  it('are accepted where the policy says so, but not together with other gaps', async () => {
    expect(verdict(await scanFiles(foreign()), { thirdParty: 'accept' })).toBe('clean');
    const both = await scanFiles({ ...foreign(), 'etc/debian_version': '99.1\n' });
    expect(verdict(both, { thirdParty: 'accept' })).toBe('unscannable');
  });
});

describe('S9: Java archives', () => {
  const shaded = jar({
    'META-INF/maven/org.example/widget/pom.properties':
      'groupId=org.example\nartifactId=widget\nversion=1.2.0\n',
  });
  const archives = {
    ...debianFiles(CLEAN),
    'app/widget-1.2.0.jar': mavenJar('org.example', 'widget', '1.2.0'),
    'app/all.war': shaded,
    'app/unknown.jar': jar({ 'a.class': 'x' }),
    'app/by-hash.jar': WIDGET_JAR,
  };

  it('are blocked by name from the first day, and what only the index recognises is not clean', async () => {
    const report = await scanFiles(archives);
    expect(report.vulnerabilities.map(({ id }) => id)).toEqual(['CVE-2099-0009']);
    const paths = report.vulnerabilities[0]?.packages.map(({ path }) => path).sort();
    expect(paths).toEqual(['app/all.war', 'app/widget-1.2.0.jar']);
    expect(report.gaps).toEqual([
      {
        kind: 'java_index_missing',
        platform: null,
        archives: ['app/by-hash.jar', 'app/unknown.jar'],
      },
    ]);
    expect(verdict(report)).toBe('blocked');
  });

  it('that only the index recognises leave the image unscannable, and later scans do not reuse that analysis', async () => {
    const image = await buildImage({
      layers: [debianFiles(CLEAN), { 'app/by-hash.jar': WIDGET_JAR }],
    });
    const [before, again] = [await scan(image), await scan(image)];
    for (const report of [before, again]) {
      expect(report).toMatchObject({ coverage: 'partial', vulnerabilities: [] });
      expect(verdict(report)).toBe('unscannable');
    }
    await kit.scanner.updateJavaIndex({ javaRepositories: [await serveJavaDb(kit.registry.url)] });
    const after = await scan(image);
    expect(after.coverage).toBe('full');
    expect(after.vulnerabilities.map(({ id }) => id)).toEqual(['CVE-2099-0009']);
  });
});

describe('what Trivy lists, passes over or warns of', () => {
  const meta = JSON.stringify({ name: 'openssl', version: '1.1.1k', build: 'h0', build_number: 0 });
  const conda = { 'opt/conda/envs/ml/conda-meta/openssl-1.1.1k-h0.json': meta };
  const kinds = (report: Awaited<ReturnType<typeof scan>>) => report.gaps?.map(({ kind }) => kind);

  it.each<[string, Files]>([
    ['alone', {}],
    ['on Debian', debianFiles(CLEAN)],
  ])('an environment of Conda %s is unscannable', async (_, files) => {
    const report = await scanFiles({ ...files, ...conda });
    expect(report.gaps).toEqual([
      {
        kind: 'packages_unjudged',
        platform: null,
        packageType: 'conda-pkg',
        count: 1,
        packages: ['openssl'],
      },
    ]);
    expect(verdict(report)).toBe('unscannable');
  });

  it('a package database that it does not read is, too, until a later layer removes it', async () => {
    const pacman = { 'srv/arch/var/lib/pacman/local/openssl-3.0.0-1/desc': '%NAME%\nopenssl\n' };
    expect(kinds(await scanFiles({ ...debianFiles(CLEAN), ...pacman }))).toEqual([
      'database_unread',
    ]);
    const removed = await scanFiles(
      { ...debianFiles(CLEAN), ...pacman },
      { 'srv/arch/var/lib/pacman/.wh.local': '' },
    );
    expect(verdict(removed)).toBe('clean');
  });

  it('a package with an invalid version is, too, also where the analysis was stored', async () => {
    const files = debianFiles([...CLEAN, { name: 'openssl', version: 'x y_z' }]);
    const image = await buildImage({ layers: [files] });
    for (const report of [await scan(image), await scan(image)]) {
      expect(kinds(report)).toEqual(['scanner_warning']);
      expect(report.notes[0]).toContain('Invalid version');
      expect(verdict(report)).toBe('unscannable');
    }
  });

  it('is, too, where a scan that failed had analysed the layer and stored the analysis', async () => {
    const unread = await tar(debianFiles([...CLEAN, { name: 'openssl', version: 'z y_x' }]));
    const large = await tar({ 'large.bin': Buffer.alloc(64 * 1024 * 1024, 1) });
    const broken = Buffer.concat([large.subarray(0, -1024), Buffer.alloc(512, 7)]);
    await expect(scan(imageOfArchives([unread, broken]))).rejects.toMatchObject({
      code: 'SCAN_LAYER_INVALID',
    });
    const report = await scan(imageOfArchives([unread]));
    expect(kinds(report)).toEqual(['scanner_warning']);
    expect(verdict(report)).toBe('unscannable');
  });

  it('is, too, where the worker was killed after it had stored the analysis', async () => {
    const image = imageOfArchives([
      await tar(debianFiles([...CLEAN, { name: 'openssl', version: 'a b_c' }])),
    ]);
    const layoutDir = await kit.layoutOf(image);
    const [end, ended] = [join(kit.data.path, 'end'), join(kit.data.path, 'trivy-ended')];
    const waiting = await trivyThatWaits({ end, ended });
    const { digest } = image;
    const worker = kit.startProcess({ layoutDir, digest }, { program: waiting });
    await eventually(() => existsSync(ended));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await writeFile(end, '');
    const report = await scan(image);
    expect(kinds(report)).toEqual(['scanner_warning']);
    expect(verdict(report)).toBe('unscannable');
  });

  it.each(['windows', 'freebsd'])('packages in an image for %s are, too', async (os) => {
    const file = 'app/node_modules/lodash/package.json';
    const files = { [file]: JSON.stringify({ name: 'lodash', version: '4.17.99' }) };
    expect(verdict(await scanFiles(files))).toBe('clean');
    const report = await scan(await buildImage({ layers: [files], platform: `${os}/amd64` }));
    expect(kinds(report)).toEqual(['os_unjudged']);
    expect(verdict(report)).toBe('unscannable');
  });
});
