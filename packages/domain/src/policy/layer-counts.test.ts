import { expect, it } from 'vitest';
import { countsByLayer, NO_FINDINGS } from './layer-counts.ts';
import type { Severity, VulnerablePackage } from './vulnerability.ts';

const within = (layerDigest: string | null, severity?: Severity): VulnerablePackage => ({
  ...{ name: 'openssl', installedVersion: '1', fixedVersion: null, status: 'affected', severity },
  ...{ target: 'debian', path: null, purl: null, layerDigest, platform: null },
});

it('counts a vulnerability once in each layer, under the worst severity of its packages there', () => {
  const counts = countsByLayer([
    {
      severity: 'HIGH',
      packages: [within('a', 'LOW'), within('a', 'MEDIUM'), within('b', 'HIGH'), within(null)],
    },
    { severity: 'LOW', packages: [within('b', 'LOW')] },
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    a: { ...NO_FINDINGS, MEDIUM: 1 },
    b: { ...NO_FINDINGS, HIGH: 1, LOW: 1 },
  });
});

it('takes the severity of the vulnerability where an old report has none of the package', () => {
  expect(countsByLayer([{ severity: 'CRITICAL', packages: [within('a')] }]).get('a')).toEqual({
    ...NO_FINDINGS,
    CRITICAL: 1,
  });
});
