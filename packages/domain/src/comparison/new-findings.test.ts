import { expect, it } from 'vitest';
import type { TimelineEntry } from '../job/timeline.ts';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import { advance, begin } from '../pipeline/staging.ts';
import { retry } from '../pipeline/staging-requests.ts';
import type { ScanReport, Vulnerability } from '../policy/vulnerability.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { findingsUntil, newFindings, scanTimes } from './new-findings.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const found = (id: string, severity: Vulnerability['severity'] = 'HIGH'): Vulnerability => ({
  ...{ id, severity, title: null, cvssScore: null, cvssVector: null, cvssSource: null },
  ...{ primaryUrl: null, publishedAt: null, packages: [] },
});

const REPORT: ScanReport = {
  ...{ coverage: 'full', notes: [], os: null, targets: [], vulnerabilities: [] },
  scanner: { name: 't', version: '1', dbUpdatedAt: null },
};

it('what the previous scan did not find is new, the worst first', () => {
  const previous = [found('CVE-1'), found('CVE-2')];
  const present = [found('CVE-2'), found('CVE-3', 'LOW'), found('CVE-4', 'CRITICAL')];
  expect(newFindings(previous, present)).toEqual(['CVE-4', 'CVE-3']);
  expect(newFindings(present, previous)).toEqual(['CVE-1']);
});

it('what was first seen after the earlier scan was not known to it', () => {
  const findings = ['CVE-1', 'CVE-2', 'CVE-3', 'CVE-4'].map((id) => found(id));
  const firstSeen = new Map([
    ['CVE-1', at(1)],
    ['CVE-2', at(2)],
    ['CVE-3', at(3)],
  ]);
  const known = findingsUntil(findings, firstSeen, at(2)).map(({ id }) => id);
  expect(known).toEqual(['CVE-1', 'CVE-2', 'CVE-4']);
});

it('scans with a result count, also where the push follows by itself', () => {
  const scanned = { kind: 'scanned', report: REPORT, policy: DEFAULT_POLICY } as const;
  const failed = {
    kind: 'failed',
    error: { code: 'SCAN_FAILED', message: 'm', side: null, retryable: false },
  } as const;
  const account = { id: 'u', isAdmin: false };
  let job = jobFixture({ status: 'scan_queued', digest: 'sha256:a', size: 1 });
  job = advance(begin(job, 'scan', at(1)), scanned, at(2));
  job = retry(job, account, at(3)) ?? job;
  job = advance(begin(job, 'scan', at(4)), { kind: 'handed_back' }, at(5));
  job = advance(begin(job, 'scan', at(6)), failed, at(7));
  job = retry(job, account, at(8)) ?? job;
  const known = { ...scanned, known: { scannedAt: at(1) } };
  job = advance(begin({ ...job, auto: true }, 'scan', at(9)), known, at(10));
  expect(job.status).toBe('push_queued');
  expect(scanTimes(job.timeline)).toEqual([at(2), at(10)]);
});

it.each<TimelineEntry>([
  { at: at(1), status: 'staged', kind: 'scan_disabled' },
  { at: at(1), status: 'staged', kind: 'policy_changed' },
  { at: at(1), status: 'push_queued', kind: 'push_requested', destination: 'd' },
  { at: at(1), status: 'push_queued', kind: 'retried' },
])('no scan is behind $status with $kind', (entry) => {
  expect(scanTimes([entry])).toEqual([]);
});
