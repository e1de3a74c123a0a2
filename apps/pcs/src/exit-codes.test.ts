import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GateDecision, Job } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from './commands.ts';
import {
  EXIT,
  exitCodeOfImage,
  exitCodeOfJob,
  exitCodeOfTransfer,
  isPending,
} from './exit-codes.ts';

type JudgedJob = Pick<Job, 'status' | 'verdict' | 'blocked'>;

describe('a settled job', () => {
  it.each<[string, JudgedJob, number]>([
    ['0 when it is clean', { status: 'staged', verdict: 'clean', blocked: false }, 0],
    [
      '0 with findings that do not block',
      { status: 'staged', verdict: 'findings', blocked: false },
      0,
    ],
    [
      '0 when it is not scanned on purpose',
      { status: 'staged', verdict: 'skipped', blocked: false },
      0,
    ],
    ['3 when it is blocked', { status: 'staged', verdict: 'blocked', blocked: true }, 3],
    ['3 when its push was refused', { status: 'failed', verdict: 'findings', blocked: true }, 3],
    ['4 when its scan failed', { status: 'staged', verdict: 'error', blocked: false }, 4],
    [
      '4 when it cannot be scanned',
      { status: 'staged', verdict: 'unscannable', blocked: false },
      4,
    ],
    ['1 when its pull failed', { status: 'failed', verdict: 'pending', blocked: false }, 1],
    ['1 when it was cancelled', { status: 'cancelled', verdict: 'pending', blocked: false }, 1],
  ])('has the code %s', (_, job, code) =>
    expect(exitCodeOfJob({ ...job, destination: null })).toBe(code),
  );

  it.each<[string, Partial<typeof STANDING>, number]>([
    ['0 where the policy there lets it pass', { state: 'passes' }, 0],
    ['0 where waivers allow it', { state: 'allowed' }, 0],
    ['3 where it is blocked there', { state: 'blocked', code: 'VULN_BLOCKED' }, 3],
    ['4 where a scan is missing', { state: 'blocked', code: 'SCAN_REQUIRED' }, 4],
    ['4 where not all of it was judged', { state: 'passes', caveat: 'not_covered' }, 4],
  ])('for a chosen destination has the code %s', (_, change, code) => {
    const standing = { ...STANDING, ...change };
    const job = { status: 'staged', verdict: 'blocked', blocked: true } as const;
    expect(exitCodeOfJob({ ...job, destination: DESTINATION, standing })).toBe(code);
  });
});

const DESTINATION = {
  ...{ kind: 'local' as const, registry_id: '__local__', host: 'h', folder: 'team' },
  ...{ repository: 'team/app', tag: '1' },
};
const NONE = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
const STANDING: NonNullable<Job['standing']> = {
  ...{
    state: 'passes',
    code: null,
    blocking: [],
    blocking_total: 0,
    fixable_total: 0,
    blocking_counts: NONE,
  },
  ...{ found: NONE, waived_total: 0, until: null, by: [], waits_for: null, caveat: null },
  ...{ policy: { id: null, name: 'default' }, destination: DESTINATION },
};

const REPORT = {
  scanner: 'trivy',
  scanner_version: '1',
  scanned_at: '2026-01-01T00:00:00Z',
  database_at: null,
};
type JudgedImage = Parameters<typeof exitCodeOfImage>[0];
const PASSING: JudgedImage = {
  code: null,
  verdict: 'clean',
  kind: 'image',
  report: REPORT,
  last_scan_failed: false,
  mode: 'enforce',
};

describe('an image', () => {
  const none = { verdict: null, report: null } as const;
  it.each<[string, Partial<GateDecision>, number]>([
    ['0 when it passes', {}, 0],
    ['0 when the policy allows what cannot be scanned', { verdict: 'unscannable' }, 0],
    ['3 when findings block it', { code: 'VULN_BLOCKED', verdict: 'blocked' }, 3],
    ['3 when its folder enforces nothing', { mode: 'off', verdict: 'blocked' }, 3],
    ['3 when its database is too old', { code: 'DATABASE_TOO_OLD' }, 3],
    ['4 when its scan failed', { code: 'SCAN_FAILED', last_scan_failed: true, ...none }, 4],
    ['4 before its first scan', { code: 'PENDING', ...none }, 4],
    ['4 without a report in a folder whose gate is off', { mode: 'off', ...none }, 4],
    ['0 when it is an artifact that the policy allows', { kind: 'artifact', ...none }, 0],
  ])('has the code %s', (_, change, code) =>
    expect(exitCodeOfImage({ ...PASSING, ...change })).toBe(code),
  );

  it.each<[string, Partial<GateDecision>, boolean]>([
    ['waits for its first scan', { code: 'PENDING', ...none }, true],
    [
      'does not wait after a failed scan',
      { code: 'SCAN_FAILED', last_scan_failed: true, ...none },
      false,
    ],
    ['does not wait with a report', {}, false],
    ['does not wait as an artifact', { kind: 'artifact', ...none }, false],
  ])('%s', (_, change, pending) => expect(isPending({ ...PASSING, ...change })).toBe(pending));
});

describe('a transfer', () => {
  const outcomes = { pushed: 1, blocked: 0, failed: 0, cancelled: 0, open: 0 };
  it('has the code 0 when it is done', () =>
    expect(exitCodeOfTransfer({ status: 'done', outcomes })).toBe(0));
  it('has the code 3 when images are blocked, although others failed', () =>
    expect(
      exitCodeOfTransfer({
        status: 'partly_failed',
        outcomes: { ...outcomes, blocked: 1, failed: 2 },
      }),
    ).toBe(3));
  it('has the code 1 when it failed otherwise', () =>
    expect(exitCodeOfTransfer({ status: 'failed', outcomes: { ...outcomes, failed: 2 } })).toBe(1));
});

it('the manual and the help name each exit code', () => {
  const codes = Object.values(EXIT).map(String);
  const manual = readFileSync(path.resolve(import.meta.dirname, '../../../docs/ci.md'), 'utf8');
  expect([...manual.matchAll(/^\| (\d) \| /gm)].map(([, code]) => code)).toEqual(codes);
  const status = PROGRAM.closing.join(' ').split('The exit status is ')[1] ?? '';
  expect([...status.matchAll(/\b(\d) for /g)].map(([, code]) => code)).toEqual(codes);
});
