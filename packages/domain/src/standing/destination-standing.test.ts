import { describe, expect, it } from 'vitest';
import { NO_FINDINGS } from '../policy/layer-counts.ts';
import {
  destinationStanding,
  foundIn,
  type StandingQuestion,
  withBypass,
} from './destination-standing.ts';
import { daysLater, findingFixture, standingFixture, waiverFixture } from './standing.fixture.ts';
import { standingText } from './standing-text.ts';

const MEDIUM = findingFixture({ id: 'CVE-2026-9', severity: 'MEDIUM' });
const BLOCKING = [findingFixture(), findingFixture({ package: 'libssl3', fixedVersion: null })];

function standingOf(change: Partial<StandingQuestion> = {}, findings = [MEDIUM]) {
  return destinationStanding({
    judgement: { passes: true, code: null },
    standing: standingFixture(findings),
    found: foundIn({ findings }),
    ...{ caveat: null, waivers: [], waitsUntil: null },
    ...change,
  });
}

const BLOCKED = {
  judgement: { passes: false, code: 'VULN_BLOCKED' },
  standing: standingFixture(BLOCKING),
};
const rita = { accountId: 'u2', username: 'rita', at: daysLater(0) };

describe('an image', () => {
  it('passes with what was found', () => {
    const standing = standingOf();
    expect(standing).toMatchObject({ state: 'passes', code: null, blockingTotal: 0, until: null });
    expect(standing.found).toEqual({ ...NO_FINDINGS, MEDIUM: 1 });
    expect(standingText(standing)).toBe('passes · 1 medium');
  });

  it('that passes without anything found says no number', () => {
    expect(standingText(standingOf({}, []))).toBe('passes');
  });

  it.each([
    ['not_scanned', 'passes · not scanned'],
    ['not_covered', 'passes · not fully scannable'],
    ['scan_failed', 'passes · the scan failed'],
    ['artifact', 'passes · no container image'],
  ] as const)('that passes without being judged says so: %s', (caveat, text) => {
    const standing = standingOf({ caveat, standing: null, found: null });
    expect(standing).toMatchObject({ state: 'passes', caveat });
    expect(standingText(standing)).toBe(text);
  });

  it('is blocked by vulnerabilities, each once, of which an update clears some', () => {
    const standing = standingOf(BLOCKED, BLOCKING);
    expect(standing).toMatchObject({
      ...{ state: 'blocked', code: 'VULN_BLOCKED', blockingTotal: 1, fixableTotal: 0, by: [] },
      ...{ blockingCounts: { HIGH: 1 }, found: { HIGH: 1 }, blocking: [BLOCKING[0]?.id] },
    });
    expect(standingText(standing)).toBe('blocked · 1 vulnerability, without a fix');
    expect(standingText({ ...standing, blockingTotal: 35, fixableTotal: 20 })).toBe(
      'blocked · 35 vulnerabilities, 20 of them with a fix',
    );
  });

  it('is blocked by something else than vulnerabilities', () => {
    const standing = standingOf({ judgement: { passes: false, code: 'SCAN_REQUIRED' } });
    expect(standing).toMatchObject({ state: 'blocked', code: 'SCAN_REQUIRED', blockingTotal: 0 });
    expect(standingText(standing)).toBe('blocked · SCAN_REQUIRED');
  });

  it('is allowed until the first of the waivers ends that it needs', () => {
    const waivers = [
      waiverFixture({ id: 'w1', approvals: [rita], expiresAt: daysLater(9) }),
      waiverFixture({ id: 'w2', vulnerability: 'CVE-2026-2', expiresAt: daysLater(3) }),
      waiverFixture({ id: 'other', vulnerability: 'CVE-2026-3', expiresAt: daysLater(1) }),
    ];
    const found = [...BLOCKING, findingFixture({ id: 'CVE-2026-2' })];
    const standing = standingOf({ standing: standingFixture(found, { waivers }), waivers });
    expect(standing).toMatchObject({
      ...{ state: 'allowed', code: null, blockingTotal: 0, waivedTotal: 2 },
      ...{ until: daysLater(3), by: ['rita'] },
    });
    expect(standingText(standing)).toBe('allowed until 2026-11-25 by rita');
  });

  it.each([
    ['of all folders', {}, 'allowed'],
    ['that has ended', { expiresAt: daysLater(-1) }, 'blocked'],
    ['of another folder', { folder: 'other' }, 'blocked'],
    ['of one of its packages', { package: 'libssl3' }, 'blocked'],
    ['that is not approved', { state: 'requested' }, 'blocked'],
  ] as const)(
    'with a waiver %s is not called otherwise than the gate decides',
    (_, scope, state) => {
      const waivers = [waiverFixture({ folder: null, ...scope })];
      const standing = standingFixture(BLOCKING, { waivers });
      const passes = standing.verdict !== 'blocked';
      const judgement = { passes, code: passes ? null : 'VULN_BLOCKED' };
      expect(standingOf({ judgement, standing, waivers })).toMatchObject({
        ...{ state, blockingTotal: passes ? 0 : 1, waivedTotal: passes ? 1 : 0 },
      });
    },
  );

  it('with waivers for all that was found is still blocked for lack of a scan', () => {
    const waivers = [waiverFixture()];
    const standing = standingFixture([findingFixture()], { waivers });
    const judgement = { passes: false, code: 'SCAN_REQUIRED' };
    expect(standingOf({ judgement, standing, waivers })).toMatchObject({
      ...{ state: 'blocked', code: 'SCAN_REQUIRED', until: null, by: [] },
    });
  });

  it('has the same number after a second scan, and with each platform of an index', () => {
    const twice = [...BLOCKING, ...BLOCKING.map((finding) => ({ ...finding }))];
    const standing = standingOf({ ...BLOCKED, standing: standingFixture(twice) }, twice);
    expect(standing).toMatchObject({ blockingTotal: 1, found: { HIGH: 1 } });
  });

  it('was bypassed by the account whose privilege brought it there', () => {
    const standing = withBypass(standingOf(BLOCKED), 'root');
    expect(standing).toMatchObject({ state: 'bypassed', code: 'VULN_BLOCKED', by: ['root'] });
    expect(standingText(standing)).toBe('bypassed by root, although blocked');
  });

  it('that passes by now was bypassed by no account', () => {
    expect(withBypass(standingOf(), 'root')).toMatchObject({ state: 'passes', by: [] });
  });

  it.each(['pull', 'scan'] as const)('waits for its %s', (waitsFor) => {
    const judgement = { passes: null, code: null };
    const standing = standingOf({ judgement, standing: null, found: null, waitsFor });
    expect(standing).toMatchObject({ state: 'waits', waitsFor, found: null });
    expect(standingText(standing)).toBe(`waits for the ${waitsFor}`);
  });
});
