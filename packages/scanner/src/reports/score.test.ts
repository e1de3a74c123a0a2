import { describe, expect, it } from 'vitest';
import { chooseScore, parseSeverity, worse } from './score.ts';

const V2 = { V2Score: 5, V2Vector: 'v2' };
const V3 = { V3Score: 7, V3Vector: 'v3' };
const V4 = { V40Score: 9, V40Vector: 'v4' };

describe('the score of a vulnerability', () => {
  it.each([
    ['the source that rated it', 'ghsa', { ghsa: V3, nvd: V4 }, [7, 'v3', 'ghsa']],
    ['NVD where the rating source gives none', 'debian', { redhat: V4, nvd: V3 }, [7, 'v3', 'nvd']],
    [
      'the highest of the others',
      undefined,
      { redhat: V3, bitnami: V4, amazon: V2 },
      [9, 'v4', 'bitnami'],
    ],
    ['the newest version', 'nvd', { nvd: { ...V2, ...V3, ...V4 } }, [9, 'v4', 'nvd']],
    [
      'version 3 before version 2',
      'nvd',
      { nvd: { V2Score: 10, V2Vector: 'v2', ...V3 } },
      [7, 'v3', 'nvd'],
    ],
    ['version 2 alone', 'nvd', { nvd: V2 }, [5, 'v2', 'nvd']],
    ['nothing of a source without scores', 'nvd', { nvd: { V3Vector: 'v3' } }, [null, null, null]],
    ['nothing at all', undefined, undefined, [null, null, null]],
    ['a score of zero', 'nvd', { nvd: { V3Score: 0 } }, [0, null, 'nvd']],
  ] as const)('is that of %s', (_, SeveritySource, CVSS, [cvssScore, cvssVector, cvssSource]) => {
    const raw = { VulnerabilityID: 'X', PkgName: 'x', SeveritySource, CVSS };
    expect(chooseScore(raw)).toEqual({ cvssScore, cvssVector, cvssSource });
  });
});

describe('a severity', () => {
  it.each([
    ['CRITICAL', 'CRITICAL'],
    ['high', 'HIGH'],
    ['NEGLIGIBLE', 'UNKNOWN'],
    ['', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ])('%j is read as %s', (text, severity) => {
    expect(parseSeverity(text)).toBe(severity);
  });

  it('is compared by rank', () => {
    expect(worse('LOW', 'HIGH')).toBe('HIGH');
    expect(worse('CRITICAL', 'UNKNOWN')).toBe('CRITICAL');
  });
});
