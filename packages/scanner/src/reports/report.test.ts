import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReportContext } from '../judging/coverage.ts';
import { listPackages } from '../judging/package-list.ts';
import { RawReport } from './raw-report.ts';
import { mergeReports, readRawReport, toImageReport } from './report.ts';

const SCANNER = { name: 'trivy', version: '0.74.0', dbUpdatedAt: null };
const CONTEXT: ReportContext = {
  platform: null,
  packages: { os: 1, thirdParty: [], archives: [], unjudged: [] },
  buckets: new Set(['debian 12', 'alpine 3.16', 'alpine 3.22']),
  log: { alpineRepository: '', offEolList: false },
  archives: null,
  hasOs: true,
  unverified: [],
  isIndexed: false,
  unjudged: [],
  baseLayers: [],
  digestOf: new Map(),
};

function golden(name: string): RawReport {
  const file = join(import.meta.dirname, 'golden', `${name}.json`);
  return RawReport.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function parsed(name: string, context: Partial<ReportContext> = {}) {
  const raw = golden(name);
  return toImageReport(raw, { ...CONTEXT, packages: listPackages(raw), ...context });
}

function bare(change: Partial<RawReport>): RawReport {
  return { SchemaVersion: 2, ArtifactName: 'image@sha256:0', ...change };
}

describe('a report', () => {
  it('groups findings by id, the most severe and highest scored first', () => {
    const found = parsed('debian').vulnerabilities.map(({ id, severity, packages }) => [
      id,
      severity,
      packages.length,
    ]);
    expect(found).toEqual([
      ['CVE-2099-0001', 'CRITICAL', 2],
      ['CVE-2099-0007', 'HIGH', 1],
      ['CVE-2099-0002', 'HIGH', 1],
      ['CVE-2099-0003', 'HIGH', 1],
      ['CVE-2099-0006', 'LOW', 1],
      ['CVE-2099-0005', 'UNKNOWN', 1],
    ]);
  });

  it('has the fields of a package for people and programs', () => {
    const lodash = parsed('debian').vulnerabilities.find(({ id }) => id === 'CVE-2099-0003');
    expect(lodash).toMatchObject({
      title: 'lodash: made-up prototype pollution',
      publishedAt: '2099-01-03T00:00:00Z',
    });
    expect(lodash?.packages).toEqual([
      {
        name: 'lodash',
        packageType: 'library',
        installedVersion: '4.17.10',
        fixedVersion: '4.17.12',
        severity: 'HIGH',
        severitySource: 'ghsa',
        status: 'fixed',
        target: 'Node.js',
        path: 'app/node_modules/lodash/package.json',
        purl: 'pkg:npm/lodash@4.17.10',
        layerDigest: expect.stringMatching(/^sha256:/),
        platform: null,
      },
    ]);
  });

  it('has null for a version without a fix', () => {
    const zlib = parsed('debian').vulnerabilities.find(({ id }) => id === 'CVE-2099-0002');
    expect(zlib?.packages[0]).toMatchObject({ fixedVersion: null, status: 'affected' });
  });

  it('names a target without our own path, and counts each id once', () => {
    expect(parsed('debian').targets).toEqual([
      {
        target: 'debian 12.5',
        class: 'os-pkgs',
        type: 'debian',
        counts: { CRITICAL: 1, HIGH: 2, MEDIUM: 0, LOW: 1, UNKNOWN: 1 },
      },
      {
        target: 'Node.js',
        class: 'lang-pkgs',
        type: 'node-pkg',
        counts: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0, UNKNOWN: 0 },
      },
    ]);
  });

  it('S8: keeps for each package the rating of its own source; the worst rating is shown for all', () => {
    const found = (PkgName: string, Severity: string, SeveritySource: string) => ({
      VulnerabilityID: 'CVE-1',
      PkgName,
      Severity,
      SeveritySource,
    });
    const Vulnerabilities = [found('one', 'LOW', 'debian'), found('two', 'HIGH', 'ghsa')];
    const raw = bare({ Results: [{ Target: 'x', Class: 'os-pkgs', Vulnerabilities }] });
    expect(toImageReport(raw, CONTEXT).vulnerabilities).toMatchObject([
      {
        severity: 'HIGH',
        packages: [
          { name: 'one', severity: 'LOW', severitySource: 'debian' },
          { name: 'two', severity: 'HIGH', severitySource: 'ghsa' },
        ],
      },
    ]);
  });

  it('keeps only http and https links', () => {
    const found = { VulnerabilityID: 'X', PkgName: 'x', PrimaryURL: 'javascript:alert(1)' };
    const raw = bare({ Results: [{ Target: 'x', Class: 'lang-pkgs', Vulnerabilities: [found] }] });
    expect(toImageReport(raw, CONTEXT).vulnerabilities[0]?.primaryUrl).toBeNull();
  });

  it.each(['', '{}', '{"SchemaVersion":3,"ArtifactName":"x"}', '[]', '{"SchemaVersion":2'])(
    'that is %j is an error, never an empty report',
    async (text) => {
      await expect(readRawReport(Buffer.from(text))).rejects.toThrow(
        expect.objectContaining({ code: 'SCAN_REPORT_INVALID' }),
      );
    },
  );
});

describe('the coverage of an image', () => {
  const os = { Family: 'debian', Name: '12.5' };
  const packages = { Target: 't', Class: 'os-pkgs', Packages: [{}] };
  const language = { Target: 'Node.js', Class: 'lang-pkgs' };

  it.each<[string, Partial<RawReport>, Partial<ReportContext>, string]>([
    [
      'is full for a known system with packages',
      { Metadata: { OS: os }, Results: [packages] },
      {},
      'full',
    ],
    [
      'is partial without any of its packages',
      { Metadata: { OS: os }, Results: [{ ...packages, Packages: [] }] },
      { packages: { os: 0, thirdParty: [], archives: [], unjudged: [] } },
      'partial',
    ],
    [
      'S5: is partial for a release that the database has no advisories for',
      { Metadata: { OS: { ...os, Name: '99.1' } }, Results: [packages] },
      {},
      'partial',
    ],
    [
      'S5: is partial where the releases that the database knows are not known',
      { Metadata: { OS: os }, Results: [packages] },
      { buckets: null },
      'partial',
    ],
    [
      'S6: is partial with third-party packages',
      { Metadata: { OS: os }, Results: [packages] },
      { packages: { os: 2, thirdParty: ['nodejs'], archives: [], unjudged: [] } },
      'partial',
    ],
    [
      'is partial where the image states that RapidFort rebuilt it',
      { Metadata: { OS: { ...os, Supplier: 'rapidfort' } }, Results: [packages] },
      {},
      'partial',
    ],
    [
      'is partial for a system without advisories',
      { Metadata: { OS: os }, Results: [language] },
      {},
      'partial',
    ],
    [
      'is partial past the end of life',
      { Metadata: { OS: { ...os, EOSL: true } }, Results: [packages] },
      {},
      'partial',
    ],
    [
      'is partial for packages on an unknown system',
      { Results: [language] },
      { hasOs: true },
      'partial',
    ],
    ['is full for packages without a system', { Results: [language] }, { hasOs: false }, 'full'],
    ['is none for an empty image', {}, { hasOs: false }, 'none'],
    ['is none for an unknown system without packages', {}, { hasOs: true }, 'none'],
    [
      'is partial without the index of Java archives',
      { Metadata: { OS: os }, Results: [packages] },
      { archives: [] },
      'partial',
    ],
  ])('%s', (_, raw, context, coverage) => {
    const report = toImageReport(bare(raw), { ...CONTEXT, ...context });
    expect(report.coverage).toBe(coverage);
    expect(report.notes.length > 0).toBe(coverage !== 'full');
    expect(report.gaps).toHaveLength(report.notes.length);
  });

  it('S6: names the first packages of third parties, each once, and counts all', () => {
    const thirdParty = ['nodejs', 'docker-ce', 'nodejs', 'a', 'b', 'c', 'd'];
    const { notes, gaps } = toImageReport(bare({ Metadata: { OS: os }, Results: [packages] }), {
      ...CONTEXT,
      platform: 'linux/arm64',
      packages: { os: 9, thirdParty, archives: [], unjudged: [] },
    });
    expect(notes).toEqual([
      '7 packages of other makers have no advisories: a, b, c, d, docker-ce, …',
    ]);
    expect(gaps).toEqual([
      {
        kind: 'third_party',
        platform: 'linux/arm64',
        count: 7,
        packages: ['a', 'b', 'c', 'd', 'docker-ce'],
      },
    ]);
  });

  it('S9: names the archives in which no package was recognised', () => {
    const { notes } = toImageReport(bare({ Metadata: { OS: os }, Results: [packages] }), {
      ...CONTEXT,
      packages: { os: 1, thirdParty: [], archives: ['app/known.jar'], unjudged: [] },
      archives: ['app/known.jar', 'app/other.jar'],
    });
    expect(notes).toEqual([
      'the index of Java archives has not been downloaded: only archives that name their version were judged, and not app/other.jar',
    ]);
  });

  it('that is not full keeps a gap for each image, so that no policy accepts unknown ones', () => {
    const whole = parsed('debian');
    const silent = { ...whole, coverage: 'none' as const, notes: ['a note'], gaps: [] };
    expect(mergeReports([whole, silent], SCANNER).gaps).toEqual([
      { kind: 'other', platform: null },
    ]);
    expect(mergeReports([whole], SCANNER)).not.toHaveProperty('gaps');
  });

  it.each([
    ['debian', 'full'],
    ['eol', 'partial'],
    ['nopkgs', 'partial'],
  ])('of the real report %s is %s', (name, coverage) => {
    expect(parsed(name).coverage).toBe(coverage);
  });
});

describe('several platforms', () => {
  const amd64 = parsed('debian', { platform: 'linux/amd64' });
  const arm64 = parsed('eol', { platform: 'linux/arm64' });

  it('have the coverage of the worst of them', () => {
    const merged = mergeReports([amd64, arm64], SCANNER);
    expect(merged.coverage).toBe('partial');
    expect(merged.os).toMatchObject({ eosl: true });
    expect(merged.notes).toEqual([expect.stringMatching(/^linux\/arm64: alpine 3\.16/)]);
  });

  it('share one entry for a vulnerability they have in common', () => {
    const twin = parsed('debian', { platform: 'linux/arm64' });
    const merged = mergeReports([amd64, twin], SCANNER);
    expect(merged.vulnerabilities).toHaveLength(amd64.vulnerabilities.length);
    expect(merged.vulnerabilities[0]?.packages.map((each) => each.platform)).toEqual([
      'linux/amd64',
      'linux/amd64',
      'linux/arm64',
      'linux/arm64',
    ]);
  });

  it('have no coverage where there are none', () => {
    expect(mergeReports([], SCANNER).coverage).toBe('none');
  });
});
