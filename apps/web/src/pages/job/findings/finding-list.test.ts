import { describe, expect, it } from 'vitest';
import { found } from './finding.fixture.ts';
import {
  byPackage,
  bySeverity,
  byVulnerability,
  countsOf,
  filterFindings,
  findingsOfLayer,
  NO_FILTER,
  type ShownFinding,
  severityIn,
  versionsOf,
} from './finding-list.ts';

const ALL = [
  found('CVE-3', 'LOW', [['zlib', '1', null]]),
  found('CVE-1', 'CRITICAL', [['openssl', '3.0', '3.1']]),
  found(
    'CVE-2',
    'HIGH',
    [
      ['openssl', '3.0', '3.1'],
      ['curl', '7', null],
    ],
    { kev: true },
  ),
];
const ids = (findings: readonly ShownFinding[]) => findings.map(({ id }) => id);

describe('the filter of findings', () => {
  it.each([
    ['without a filter: all', NO_FILTER, ['CVE-3', 'CVE-1', 'CVE-2']],
    ['severities', { ...NO_FILTER, severities: ['HIGH', 'LOW'] as const }, ['CVE-3', 'CVE-2']],
    ['findings with a fix', { ...NO_FILTER, fixableOnly: true }, ['CVE-1', 'CVE-2']],
    ['part of a package name', { ...NO_FILTER, text: 'CUR' }, ['CVE-2']],
    ['words of the title', { ...NO_FILTER, text: 'cve-3 in' }, ['CVE-3']],
    ['new ones', { ...NO_FILTER, newOnly: true }, ['CVE-3']],
    ['exploited ones', { ...NO_FILTER, exploitedOnly: true }, ['CVE-2']],
    ['what is nowhere', { ...NO_FILTER, text: 'nothing' }, []],
  ])('%s', (_, filter, left) => {
    expect(ids(filterFindings(ALL, filter, new Set(['CVE-3', 'CVE-9'])))).toEqual(left);
  });
});

it('by vulnerability, the most severe come first', () => {
  expect(byVulnerability(bySeverity(ALL)).map(({ name }) => name)).toEqual([
    'CVE-1',
    'CVE-2',
    'CVE-3',
  ]);
});

it('by package, each has its findings and the worst severity', () => {
  expect(
    byPackage(bySeverity(ALL)).map(({ name, severity, findings }) => [
      name,
      severity,
      ids(findings),
    ]),
  ).toEqual([
    ['openssl', 'CRITICAL', ['CVE-1', 'CVE-2']],
    ['curl', 'HIGH', ['CVE-2']],
    ['zlib', 'LOW', ['CVE-3']],
  ]);
});

it('S8: by package, each is rated by its own source, not by the worst of the vulnerability', () => {
  const [low, high] = found('CVE-4', 'HIGH', [
    ['shared2', '1', '2'],
    ['shared', '1', null],
  ]).packages;
  if (!low || !high) throw new Error('two packages');
  const mixed = {
    ...found('CVE-4', 'HIGH', []),
    packages: [{ ...low, severity: 'LOW' as const }, high],
  };
  const rows = byPackage([mixed]);
  expect(rows.map(({ name, severity }) => [name, severity])).toEqual([
    ['shared', 'HIGH'],
    ['shared2', 'LOW'],
  ]);
  expect(rows.map((row) => severityIn(mixed, row))).toEqual(['HIGH', 'LOW']);
});

it('of a layer, findings have only its packages and their severity, and count once', () => {
  const [base, app] = found('CVE-5', 'HIGH', [
    ['libssl', '1', null],
    ['openssl', '1', null],
  ]).packages;
  if (!base || !app) throw new Error('two packages');
  const inBoth = {
    ...found('CVE-5', 'HIGH', []),
    packages: [
      { ...base, layer_digest: 'sha256:1' },
      { ...app, severity: 'LOW' as const, layer_digest: 'sha256:2' },
      { ...base, name: 'libcrypto', severity: 'LOW' as const, layer_digest: 'sha256:2' },
    ],
  };
  const all = [...ALL, inBoth];
  const [found2, ...others] = findingsOfLayer(all, 'sha256:2');
  expect(others).toEqual([]);
  expect(found2).toMatchObject({ id: 'CVE-5', severity: 'LOW' });
  expect(found2?.packages.map(({ name }) => name)).toEqual(['openssl', 'libcrypto']);
  expect(findingsOfLayer(all, 'sha256:1').map(({ severity }) => severity)).toEqual(['HIGH']);
  expect(findingsOfLayer(all, 'sha256:3')).toEqual([]);
  expect(countsOf(findingsOfLayer(all, 'sha256:2'))).toMatchObject({ HIGH: 0, LOW: 1 });
});

it('10,000 findings are filtered and grouped quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    found(`CVE-2099-${n}`, n % 2 ? 'HIGH' : 'LOW', [[`package-${n % 400}`, '1', '2']]),
  );
  const rows = byPackage(
    filterFindings(many, { ...NO_FILTER, severities: ['HIGH'], text: 'package' }, new Set()),
  );
  expect(rows).toHaveLength(200);
  expect(rows.reduce((sum, { findings }) => sum + findings.length, 0)).toBe(5_000);
});

it('versions are listed once', () => {
  const [, , both] = ALL;
  expect(versionsOf([...(both?.packages ?? []), ...(both?.packages ?? [])])).toEqual({
    installed: '3.0, 7',
    fixed: '3.1',
  });
});
