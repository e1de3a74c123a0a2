import { DEFAULT_POLICY, type StagingJob, type VulnResult } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { expect, it } from 'vitest';
import type { StageAttempt } from '../../pipeline/attempt.ts';
import { type PushPorts, push } from './push.ts';

const YESTERDAY = '2026-11-21T12:00:00Z';
const TODAY = '2026-11-22T12:00:00Z';

interface Situation {
  /** Scans that this push waited for. */
  scans: number;
  database?: string | null;
  /** The last one failed. */
  failed?: boolean;
}

/** The first step of the push: another scan, a refusal, or the gate. */
async function firstStep({ scans, database = TODAY, failed }: Situation): Promise<string> {
  const vulnResult = {
    vulnerabilities: [],
    coverage: 'full',
    scanner: { name: 't', version: '1', dbUpdatedAt: YESTERDAY },
    ...(failed && { laterScanFailedAt: TODAY }),
  } as unknown as VulnResult;
  const job = {
    id: 'j',
    digest: `sha256:${'a'.repeat(64)}`,
    verdict: failed ? 'error' : 'clean',
    vulnResult,
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    pushes: [{ id: 'p', scans }],
    timeline: [],
  } as unknown as StagingJob;
  const attempt = { job: () => job, amend: async () => {} } as unknown as StageAttempt;
  const ports = {
    policy: async () => DEFAULT_POLICY,
    database: async () => database,
    now: () => new Date(TODAY),
    image: async () => Promise.reject(new Error('the gate')),
    destination: async () => Promise.reject(new Error('the gate')),
  } as unknown as PushPorts;
  try {
    return (await push(attempt, ports)).kind;
  } catch (error) {
    return isAppError(error) ? error.code : String(error instanceof Error ? error.message : error);
  }
}

it.each<[string, Situation, string]>([
  ['whose scan is older than the database is scanned first', { scans: 0 }, 'scan_wanted'],
  ['is scanned a tenth time', { scans: 9 }, 'scan_wanted'],
  ['is not scanned an eleventh time, and fails', { scans: 10 }, 'SCAN_OUTDATED'],
  [
    'continues after ten scans where the last is new enough',
    { scans: 10, database: YESTERDAY },
    'the gate',
  ],
  ['continues where no scan can run', { scans: 10, database: null }, 'the gate'],
  [
    'continues to the gate where the scan that it waited for failed',
    { scans: 1, failed: true },
    'the gate',
  ],
  ['is scanned first where an earlier scan failed', { scans: 0, failed: true }, 'scan_wanted'],
])('a push %s', async (_, situation, expected) => {
  expect(await firstStep(situation)).toBe(expected);
});
