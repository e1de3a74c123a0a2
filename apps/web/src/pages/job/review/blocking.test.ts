import type { VulnerabilityView, VulnResultView } from '@portcullis/contract';
import type { Severity } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { blockingOf, onlyPackage } from './blocking.ts';

const NO_COUNTS = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

function found(id: string, severity: Severity, fixed_version: string | null): VulnerabilityView {
  const names = { name: id, installed_version: '1', severity_source: null, status: 'affected' };
  const place = { target: 'debian', path: null, purl: null, layer_digest: null, platform: null };
  const nothing = {
    cvss_score: null,
    cvss_vector: null,
    cvss_source: null,
    kev: null,
    epss: null,
    primary_url: null,
  };
  const packages = [{ ...names, ...place, fixed_version, severity }];
  return { id, severity, title: null, ...nothing, published_at: null, packages };
}

function result(blocking: number): VulnResultView {
  const none = { coverage: 'full' as const, notes: [], os: null };
  return {
    ...{ ...none, enabled: true, blocked: true, severities: ['CRITICAL', 'HIGH'], total: 3 },
    scanner: { name: 'trivy', version: '1', db_updated_at: null },
    counts: NO_COUNTS,
    fixable: NO_COUNTS,
    blocking: { ...NO_COUNTS, HIGH: blocking },
    vulnerabilities: [
      found('fixed', 'HIGH', '2'),
      found('unfixed', 'HIGH', null),
      found('low', 'LOW', '2'),
    ],
  };
}

describe('the findings that block', () => {
  it.each([
    ['of the severities of the policy', 2, ['fixed', 'unfixed']],
    ['with a fix, where the policy ignores the others', 1, ['fixed']],
  ])('are those %s', (_, counted, expected) => {
    expect(blockingOf(result(counted)).map(({ id }) => id)).toEqual(expected);
  });
});

it('a waiver names the package if only one has the vulnerability', () => {
  const one = found('a', 'HIGH', null);
  const two = { packages: [...one.packages, ...found('b', 'HIGH', null).packages] };
  expect([onlyPackage(one), onlyPackage(two)]).toEqual(['a', null]);
});
