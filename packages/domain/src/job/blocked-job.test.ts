import { expect, it } from 'vitest';
import type { Verdict } from '../policy/vulnerability.ts';
import { isBlocked } from './blocked-job.ts';
import type { JobStatus } from './job-status.ts';

it.each<[JobStatus, string | null, Verdict, boolean]>([
  ['failed', 'VULN_BLOCKED', 'blocked', true],
  ['failed', 'SCAN_REQUIRED', 'unscannable', true],
  ['failed', 'DATABASE_TOO_OLD', 'clean', true],
  ['failed', 'OVERRIDE_FORBIDDEN', 'findings', true],
  ['failed', 'MANIFEST_UNKNOWN', 'pending', false],
  ['failed', 'FOLDER_FORBIDDEN', 'clean', false],
  ['failed', null, 'pending', false],
  ['staged', null, 'blocked', true],
  ['staged', null, 'findings', false],
  ['pushed', null, 'blocked', false],
  ['scanning', null, 'blocked', false],
])('a job that is %s with the error %s and the verdict %s is blocked: %s', (...row) => {
  const [status, code, verdict, expected] = row;
  expect(isBlocked({ status, error: code === null ? null : { code }, verdict })).toBe(expected);
});
