import { describe, expect, it } from 'vitest';
import { explain } from './explanation.ts';
import { BLOCKED, gateInMemory, scanned } from './gate.fixture.ts';
import { refusalLine } from './refusal-line.ts';

async function decided(report = BLOCKED) {
  const home = gateInMemory();
  home.stored.reports.set('sha256:a', report);
  return home.gate.decide(home.pull());
}

describe('the line of a refusal', () => {
  it('counts by severity and names three findings', async () => {
    const report = scanned([
      { id: 'CVE-1' },
      { id: 'CVE-2', fixedVersion: null },
      { id: 'CVE-3', severity: 'HIGH' },
      { id: 'CVE-4' },
    ]);
    expect(refusalLine('VULN_BLOCKED', await decided(report))).toBe(
      'blocked by policy "default": 3 critical, 1 high (CVE-1 in openssl 3.0.1, fixed in 3.0.2; CVE-2 in openssl 3.0.1, no fix yet; CVE-4 in openssl 3.0.1, fixed in 3.0.2; …)',
    );
  });

  it('counts a vulnerability of several packages once, and as not fixed if one has no fix', async () => {
    const report = scanned([
      { id: 'CVE-1', package: 'libssl3' },
      { id: 'CVE-1', package: 'openssl', fixedVersion: null },
      { id: 'CVE-2', package: 'libssl3' },
    ]);
    expect(refusalLine('VULN_BLOCKED', await decided(report))).toBe(
      'blocked by policy "default": 2 critical (CVE-1 in openssl 3.0.1 and libssl3, no fix yet; CVE-2 in libssl3 3.0.1, fixed in 3.0.2)',
    );
  });

  it('names the other package of a vulnerability, and counts several', async () => {
    const of = (id: string, ...packages: string[]) =>
      packages.map((name) => ({ id, package: name }));
    const report = scanned([
      ...of('CVE-1', 'curl', 'libcurl4'),
      ...of('CVE-2', 'a', 'b', 'b', 'c'),
    ]);
    expect(refusalLine('VULN_BLOCKED', await decided(report))).toBe(
      'blocked by policy "default": 2 critical (CVE-1 in curl 3.0.1 and libcurl4, fixed in 3.0.2; CVE-2 in a 3.0.1 and 2 more packages, fixed in 3.0.2)',
    );
  });

  it('is one line, whatever a package is called', async () => {
    const line = refusalLine(
      'VULN_BLOCKED',
      await decided(scanned([{ package: 'a\r\nb\u001b[2J' }])),
    );
    expect(line).toContain('a b [2J');
  });
});

describe('an explanation', () => {
  it('has each step of a refusal', async () => {
    expect(explain(await decided())).toMatchObject({
      outcome: 'refused',
      code: 'VULN_BLOCKED',
      mode: 'enforce',
      digest: 'sha256:a',
      policy: { name: 'default' },
      report: { scanner: 'trivy', database_at: '2026-11-22T06:00:00Z' },
      verdict: 'blocked',
      blocking: [{ vulnerability: 'CVE-2026-1', rule: 0, waivers: [] }],
      blocking_total: 1,
      passed_at: null,
    });
  });

  it('is bounded, and counts what it leaves out', async () => {
    const findings = Array.from({ length: 500 }, (_, at) => ({ id: `CVE-2026-${at}` }));
    const explained = explain(await decided(scanned(findings)));
    expect([explained.blocking.length, explained.blocking_total]).toEqual([10, 500]);
  });

  it('has one entry for a vulnerability, with the other packages that have it', async () => {
    const names = ['openssl', ...Array.from({ length: 7 }, (_, at) => `libssl-${at}`)];
    const report = scanned([...names.map((name) => ({ package: name })), { id: 'CVE-2026-2' }]);
    expect(explain(await decided(report))).toMatchObject({
      blocking: [
        {
          vulnerability: 'CVE-2026-1',
          package: 'openssl',
          other_packages: names.slice(1, 6),
          other_packages_total: 7,
        },
        { vulnerability: 'CVE-2026-2', other_packages: [], other_packages_total: 0 },
      ],
      blocking_total: 2,
    });
  });
});
