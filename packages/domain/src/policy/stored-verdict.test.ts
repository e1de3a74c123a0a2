import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  failedSince,
  NO_OVERRIDES,
  NOW,
  policy,
  report,
  scanned,
  TODAY,
  YESTERDAY,
} from './judged-job.fixture.ts';
import { applyPolicy, isOutdated, rejudge } from './stored-verdict.ts';
import { judge } from './verdict.ts';
import { type Coverage, type ScanReport, SEVERITIES } from './vulnerability.ts';

it.each<[string, ScanReport | null, string | null, boolean]>([
  ['of yesterday beside one of today', report([]), TODAY, true],
  ['beside the same one', report([]), YESTERDAY, false],
  ['beside the same one, in another notation', report([]), '2026-11-21T13:00:00+01:00', false],
  ['beside an older one', report([], { database: TODAY }), YESTERDAY, false],
  ['while no scan can run', report([]), null, false],
  ['that does not state its database', report([], { database: null }), YESTERDAY, true],
  ['that does not exist', null, TODAY, false],
])('S4a: a report %s is outdated: %#', (_, scan, database, expected) => {
  const { vulnResult } = scan ? scanned(scan) : { vulnResult: null };
  expect(isOutdated({ vulnResult }, database)).toBe(expected);
});

describe('a stored verdict under the current policy', () => {
  it('changes the row, and adds to its timeline', () => {
    const job = scanned(report(['LOW']));
    const next = applyPolicy(job, policy({ severities: ['LOW'] }), NOW);
    expect(next).toMatchObject({
      verdict: 'blocked',
      vulnResult: { blocked: true, severities: ['LOW'], blocking: { LOW: 1 } },
      timeline: [{ at: NOW, status: 'staged', kind: 'policy_changed' }],
    });
  });

  it('keeps the timeline where the verdict stays, and the row where nothing changes', () => {
    const job = scanned(report(['LOW']));
    const next = applyPolicy(job, policy({ severities: ['CRITICAL'] }), NOW);
    expect(next).toMatchObject({
      verdict: 'findings',
      timeline: [],
      vulnResult: { severities: ['CRITICAL'] },
    });
    expect(applyPolicy(next, policy({ severities: ['CRITICAL'] }), NOW)).toBe(next);
  });

  it('of an image whose last scan failed changes between blocked and error', () => {
    const job = failedSince(report(['LOW']));
    expect(job.verdict).toBe('error');
    const blocked = applyPolicy(job, policy({ severities: ['LOW'] }), NOW);
    expect(blocked.verdict).toBe('blocked');
    const back = applyPolicy(blocked, policy(), NOW);
    expect(back).toMatchObject({ verdict: 'error', vulnResult: { total: 1 } });
    expect(applyPolicy(back, policy(), NOW)).toBe(back);
  });

  it.each(['skipped', 'pending'] as const)('says nothing new of %s', (verdict) => {
    const job = { ...scanned(report(['HIGH'])), verdict };
    expect(rejudge(job, policy({ severities: [] }))).toBe(job);
  });

  it('equals that of a new scan with the same findings, whatever the earlier policy was', () => {
    const anySeverities = fc.uniqueArray(fc.constantFrom(...SEVERITIES));
    const anyPolicy = fc
      .record({ severities: anySeverities, ignoreUnfixed: fc.boolean() })
      .map((change) => policy(change));
    const anyReport = fc
      .record({
        found: anySeverities,
        coverage: fc.constantFrom<Coverage>('full', 'partial', 'none'),
      })
      .map(({ found, coverage }) => report(found, { coverage }));
    fc.assert(
      fc.property(anyReport, anyPolicy, anyPolicy, (scan, before, after) => {
        const { verdict, vulnResult } = rejudge(scanned(scan, before), after);
        expect([verdict, vulnResult]).toEqual(Object.values(judge(scan, after, NO_OVERRIDES)));
      }),
    );
  });
});
