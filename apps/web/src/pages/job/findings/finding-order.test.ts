import { expect, it } from 'vitest';
import { found } from './finding.fixture.ts';
import { byPackage, bySeverity, byVulnerability } from './finding-list.ts';
import { FINDING_ORDERS, type FindingOrder, inOrder } from './finding-order.ts';

const ALL = [
  found('CVE-1', 'CRITICAL', [['openssl', '3.0', null]], { cvss_score: 9.1, epss: 0.2 }),
  found('CVE-2', 'HIGH', [['curl', '7', '8']], { cvss_score: 9.8, epss: null }),
  found('CVE-3', 'LOW', [['zlib', '1', '']], { cvss_score: null, epss: 0.9, kev: true }),
  found('CVE-4', 'MEDIUM', [['curl', '7', '8']], { cvss_score: 9.1, epss: 0 }),
];
const IN_ORDER: Record<FindingOrder, [vulnerabilities: string, packages: string]> = {
  severity: ['1243', 'openssl curl zlib'],
  cvss: ['2143', 'curl openssl zlib'],
  epss: ['3142', 'zlib openssl curl'],
  package: ['2413', 'curl openssl zlib'],
  fix: ['2413', 'curl openssl zlib'],
};

it.each(FINDING_ORDERS)('rows are ordered by %s, and equal ones by severity', (order) => {
  const [vulnerabilities, packages] = IN_ORDER[order];
  const ids = inOrder(byVulnerability(bySeverity(ALL)), order).map(({ name }) => name.slice(-1));
  expect(ids.join('')).toBe(vulnerabilities);
  const names = inOrder(byPackage(bySeverity(ALL)), order).map(({ name }) => name);
  expect(names.join(' ')).toBe(packages);
});

it('a package has the highest scores of its findings, and is exploited if one of them is', () => {
  const [row] = byPackage([
    found('CVE-1', 'LOW', [['curl', '7', null]], { cvss_score: 3, epss: 0.5, kev: false }),
    found('CVE-2', 'LOW', [['curl', '7', null]], { cvss_score: 5, epss: null, kev: true }),
  ]);
  expect(row).toMatchObject({ cvss: 5, epss: 0.5, exploited: true });
});
