import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { summarize, verdictOfSummary } from './report-summary.ts';
import { judge } from './verdict.ts';
import { type Coverage, type CoverageGap, type ScanReport, SEVERITIES } from './vulnerability.ts';

const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };
const WHERE = { target: 't', path: null, purl: null, layerDigest: null, platform: null };
const NO_DETAILS = { title: null, cvssScore: null, cvssVector: null, cvssSource: null };

const anySeverity = fc.constantFrom(...SEVERITIES);
const anyPackage = fc
  .record({
    severity: fc.option(anySeverity, { nil: undefined }),
    fixedVersion: fc.constantFrom(null, '', '2'),
  })
  .map((each) => ({ name: 'p', installedVersion: '1', status: 'affected', ...WHERE, ...each }));
const anyGap = fc.constantFrom<CoverageGap>(
  { kind: 'third_party', platform: null, count: 1, packages: ['p'] },
  { kind: 'other', platform: null },
);
const anyReport: fc.Arbitrary<ScanReport> = fc
  .record({
    coverage: fc.constantFrom<Coverage>('full', 'partial', 'none'),
    gaps: fc.array(anyGap, { maxLength: 2 }),
    found: fc.array(fc.tuple(anySeverity, fc.array(anyPackage, { minLength: 1, maxLength: 3 })), {
      maxLength: 4,
    }),
  })
  .map(({ coverage, gaps, found }) => ({
    ...{ coverage, gaps, notes: [], os: null, targets: [] },
    vulnerabilities: found.map(([severity, packages], at) => ({
      ...{ id: `CVE-${at}`, severity, packages, ...NO_DETAILS },
      ...{ primaryUrl: null, publishedAt: null },
    })),
    scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
  }));
const anyPolicy = fc
  .record({
    severities: fc.uniqueArray(anySeverity),
    ignoreUnfixed: fc.boolean(),
    thirdParty: fc.constantFrom('partial' as const, 'accept' as const),
  })
  .map((change) => ({ ...DEFAULT_POLICY, ...change }));

it('a summary is judged like its whole report, under every policy', () => {
  fc.assert(
    fc.property(anyReport, anyPolicy, (report, policy) => {
      expect(verdictOfSummary(summarize(report), policy)).toBe(
        judge(report, policy, NO_OVERRIDES).verdict,
      );
    }),
  );
});
