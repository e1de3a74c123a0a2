import { describe, expect, it } from 'vitest';
import { queuedSince, waitReason } from './job-waits.ts';
import type { StagingJob } from './staging-job.ts';

describe('a job that was put off', () => {
  it.each([
    ['DISK_RESERVE', null, 'disk'],
    ['DISK_UNWRITABLE', null, 'disk'],
    ['STORAGE_FULL', null, 'disk'],
    ['RATE_LIMITED', 'source', 'registry'],
    ['UNREACHABLE', 'target', 'registry'],
    ['INTERNAL', null, 'other'],
  ] as const)('with %s at the side %s waits for: %s', (code, side, reason) => {
    expect(waitReason({ code, side })).toBe(reason);
  });
});

describe('the time since which a job waits', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 28, 9, minute));
  const entry = (minute: number, status: StagingJob['status']) =>
    ({ at: at(minute), status, kind: 'status_changed' }) as const;

  it.each<[string, StagingJob['status'], StagingJob['timeline'], Date | null]>([
    ['is that of its request', 'pull_queued', [entry(0, 'pull_queued')], at(0)],
    [
      'is not that of the last attempt',
      'pull_queued',
      [entry(0, 'pull_queued'), entry(1, 'pulling'), entry(2, 'pull_queued')],
      at(0),
    ],
    [
      'is that of its present stage',
      'scan_queued',
      [entry(0, 'pull_queued'), entry(1, 'pulling'), entry(2, 'scan_queued')],
      at(2),
    ],
    [
      'begins again with another round of the stage',
      'pull_queued',
      [entry(0, 'pull_queued'), entry(1, 'scan_queued'), entry(2, 'pull_queued')],
      at(2),
    ],
    ['is none once it is settled', 'pushed', [entry(0, 'pushing'), entry(1, 'pushed')], null],
    ['is none without a timeline', 'pull_queued', [], null],
  ])('%s', (_, status, timeline, expected) => {
    expect(queuedSince({ status, timeline })).toEqual(expected);
  });
});
