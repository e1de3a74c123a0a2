/** Whatever is added to an image that is clean: what was not judged is never clean. */
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawReport, RawResult } from '../reports/raw-report.ts';
import { mergeReports, toImageReport } from '../reports/report.ts';
import { applyLayers, searchDatabases } from './package-databases.ts';
import { listPackages } from './package-list.ts';
import { JUDGED_TYPES } from './package-types.ts';
import { readWarnings } from './scanner-warnings.ts';
import { type ImageContents, unjudgedGaps } from './unjudged-gaps.ts';

interface Scanned {
  results: RawResult[];
  family: string | null;
  files: string[];
  configOs: string;
  stderr: string;
  /** What the layers say that the report does not. */
  layers: ImageContents['files'];
}

const DATABASE = new Set(['debian 12', 'alpine 3.22', 'wolfi']);

/** The way of a scan from what Trivy says and what the layers have to a verdict. */
function verdictOf({ results, family, files, configOs, stderr, layers }: Scanned) {
  const release = { debian: '12.5', alpine: '3.22.1', wolfi: '1' }[family ?? ''] ?? '1';
  const raw: RawReport = {
    SchemaVersion: 2,
    ArtifactName: 'image',
    Metadata: { OS: family === null ? null : { Family: family, Name: release } },
    Results: results,
  };
  const search = searchDatabases();
  for (const file of files) search.add(file);
  const packages = listPackages(raw);
  const report = toImageReport(raw, {
    platform: null,
    packages,
    buckets: DATABASE,
    log: { alpineRepository: '', offEolList: false },
    archives: null,
    hasOs: family !== null,
    unverified: [],
    isIndexed: false,
    baseLayers: [],
    digestOf: new Map(),
    unjudged: unjudgedGaps({
      packages,
      databases: applyLayers([search.found()]),
      files: layers,
      hasJavaIndex: true,
      configOs,
      family,
      warnings: readWarnings(stderr).messages,
    }),
  });
  const whole = mergeReports([report], { name: 'trivy', version: '0.74.0', dbUpdatedAt: null });
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const thirdParty = 'accept' as const;
  return judge(whole, { ...DEFAULT_POLICY, thirdParty }, overrides);
}

const PACKAGE = { Name: 'a', Version: '1' };
const os = (Type: string, more = {}): RawResult => ({
  Target: Type,
  Class: 'os-pkgs',
  Type,
  Packages: [{ ...PACKAGE, ...more }],
});
const library = (Type: string, more = {}): RawResult => ({
  Target: Type,
  Class: 'lang-pkgs',
  Type,
  Packages: [{ ...PACKAGE, ...more }],
});

const BASE = {
  files: ['usr/bin/app'],
  configOs: 'linux',
  stderr: '',
  layers: { releases: [], incomplete: [], unreported: [] },
};

/** Images of which all is judged. */
const clean = fc.oneof(
  fc
    .constantFrom('debian', 'alpine', 'wolfi')
    .map((family): Scanned => ({ ...BASE, family, results: [os(family)] })),
  fc
    .constantFrom(...JUDGED_TYPES)
    .map((type): Scanned => ({ ...BASE, family: null, results: [library(type)] })),
  fc.subarray([...JUDGED_TYPES]).map(
    (types): Scanned => ({
      ...BASE,
      family: 'debian',
      results: [os('debian'), ...types.map((type) => library(type))],
    }),
  ),
);

type Change = (image: Scanned) => Scanned;
const withResult =
  (result: RawResult): Change =>
  (image) => ({ ...image, results: [...image.results, result] });
const withFile =
  (file: string): Change =>
  (image) => ({ ...image, files: [...image.files, file] });
const withLayers =
  (layers: Partial<Scanned['layers']>): Change =>
  (image) => ({ ...image, layers: { ...image.layers, ...layers } });
const withWarning =
  (line: string): Change =>
  (image) => ({ ...image, stderr: `${image.stderr}2026-11-28T05:00:00Z\tWARN\t${line}\n` });

/**
 * Each was reported of a scanner as an image that it called free of vulnerabilities, or is of the
 * same kind.
 */
const UNJUDGED: Record<string, Change> = {
  'an environment of Conda': withResult(library('conda-pkg')),
  'a file of a Conda environment': withResult(library('conda-environment')),
  'packages of a type that the scanner knows since tomorrow': withResult(library('zig')),
  'packages of no type': withResult({ ...library('x'), Type: undefined }),
  'a managed Kubernetes': withResult(library('eks')),
  'an npm package without a version': withResult(library('node-pkg', { Version: '' })),
  'a Python package without a version': withResult(library('python-pkg', { Version: null })),
  'an operating system package without a version': withResult(os('debian', { Version: '' })),
  'Arch Linux in a folder': withFile('srv/arch/var/lib/pacman/local/a-1/desc'),
  'a Debian in a folder': withFile('opt/rootfs/var/lib/dpkg/status'),
  'a store of Nix': withFile('nix/store/0c0ysdhqwrvjqkhd4vnr7bcyrnb7sd8b-a/bin/a'),
  Homebrew: withFile('home/linuxbrew/.linuxbrew/Cellar/a/1/INSTALL_RECEIPT.json'),
  'packages in zip archives of Yarn': withFile('app/.yarn/cache/lodash-npm-4.zip'),
  'a release of Elixir': withFile('app/lib/plug-1.0.0/ebin/plug.app'),
  WordPress: withFile('var/www/html/wp-includes/version.php'),
  'a file of packages that the scanner passed over': withLayers({
    unreported: [{ kind: 'composer-vendor', path: 'vendor/composer/installed.json' }],
  }),
  'a layer with more files than are compared': withLayers({ incomplete: ['sha256:a'] }),
  'an image for Windows': (image) => ({ ...image, configOs: 'windows' }),
  'an image for FreeBSD': (image) => ({ ...image, configOs: 'freebsd' }),
  'an unknown operating system': (image) => ({ ...image, configOs: 'linuxish' }),
  'a version that the scanner could not compare': withWarning(
    '[npm] Version matching error\terr="malformed version: x"',
  ),
  'a package whose version is invalid': withWarning(
    '[dpkg] Invalid version\tOS="debian" package="a" version="x y"',
  ),
  'a file that could not be parsed': withWarning('[julia] Unable to parse file'),
  'Alpine with the repository of another release': withWarning(
    '[alpine] Mixing Alpine versions is unsupported\tos="3.22" repository="3.21"',
  ),
  'a warning that no one has read': withWarning('Something new'),
  'an error that did not end the scan': (image) => ({
    ...image,
    stderr: '2026-11-28T05:00:00Z\tERROR\tfailed to analyze\terr="x"\n',
  }),
  'more warnings than are kept': (image) => ({ ...image, stderr: 'x'.repeat(256 * 1024) }),
};

describe('an image of which all was judged', () => {
  it('is clean', () => {
    fc.assert(
      fc.property(clean, (image) => {
        expect(verdictOf(image).verdict).toBe('clean');
      }),
    );
  });

  it.each(Object.entries(UNJUDGED))('is not clean with %s added', (_, change) => {
    fc.assert(
      fc.property(clean, (image) => {
        const { verdict, result } = verdictOf(change(image));
        expect(verdict).toBe('unscannable');
        expect(result.coverage).not.toBe('full');
        expect(result.gaps?.length).toBe(result.notes.length);
      }),
      { numRuns: 30 },
    );
  });

  it('is not clean with any of these added', () => {
    const some = fc.subarray(Object.values(UNJUDGED), { minLength: 1 });
    fc.assert(
      fc.property(clean, some, (image, changes) => {
        const changed = changes.reduce((each, change) => change(each), image);
        expect(verdictOf(changed).verdict).toBe('unscannable');
      }),
    );
  });

  it.each<[string, Change]>([
    [
      'the program of a Go binary',
      withResult(library('gobinary', { Version: '', Relationship: 'root' })),
    ],
    ['a warning of licences', withWarning('[python] Unable to collect additional info\terr="x"')],
    [
      'a severity of another source',
      withWarning(
        'Using severities from other vendors for some vulnerabilities. Read https://trivy.dev/x for details.',
      ),
    ],
    ['a message without importance', (image) => ({ ...image, stderr: 'x\tINFO\tDetected OS\n' })],
  ])('stays clean with %s', (_, change) => {
    fc.assert(
      fc.property(clean, (image) => {
        expect(verdictOf(change(image)).verdict).toBe('clean');
      }),
      { numRuns: 30 },
    );
  });

  it('is not clean without an operating system in its configuration and in its files', () => {
    const scratch = { ...BASE, family: null, results: [library('gobinary')], configOs: '' };
    expect(verdictOf(scratch).verdict).toBe('unscannable');
    const known = { ...BASE, family: 'debian', results: [os('debian')], configOs: '' };
    expect(verdictOf(known).verdict).toBe('clean');
  });
});

describe('what others called free of vulnerabilities', () => {
  const empty = { ...BASE, results: [], family: null };

  it.each<[string, Scanned]>([
    ['an image whose package database was deleted', { ...empty, family: 'alpine' }],
    ['an answer without results for a Debian', { ...empty, family: 'debian' }],
    ['Arch Linux', { ...empty, files: ['var/lib/pacman/local/openssl-3.0.0-1/desc'] }],
    ['CentOS Stream', { ...empty, family: 'centos-stream', results: [os('centos-stream')] }],
    ['Fedora', { ...empty, family: 'fedora', results: [os('fedora')] }],
    ['Fedora CoreOS', { ...empty, family: 'coreos', results: [os('coreos')] }],
    ['a release without advisories', { ...empty, family: 'ubuntu', results: [os('ubuntu')] }],
    ['an image of a C program', empty],
    ['an environment of Conda alone', { ...empty, results: [library('conda-pkg')] }],
    ['Windows with a package of npm', { ...empty, configOs: 'windows', results: [library('npm')] }],
  ])('is unscannable here: %s', (_, image) => {
    const { verdict, result } = verdictOf(image);
    expect(verdict).toBe('unscannable');
    expect(result.notes.length).toBeGreaterThan(0);
  });
});

describe('warnings of the scanner', () => {
  it('are in its words, without control characters, each once, and bounded', () => {
    const warn = (text: string) => `t\tWARN\t[dpkg] ${text}\n`;
    const found = readWarnings(
      `${warn('Invalid version\tpackage="a\u001b[31m"')}${warn('Invalid version\tpackage="b"')}${warn('y'.repeat(999))}`,
    );
    expect(found.messages).toEqual(['Invalid version package="a [31m"', 'y'.repeat(200)]);
  });

  it('of the analysis of a layer are told from those that each scan repeats', () => {
    const of = (text: string) => readWarnings(`t\tWARN\t[x] ${text}\n`).fromAnalysis;
    expect(of('Invalid version\tpackage="a"')).toBe(true);
    expect(of('Version matching error\terr="x"')).toBe(false);
  });
});
