import { expect, it } from 'vitest';
import type { JobStatus } from './job-status.ts';
import { stageTimes } from './stage-times.ts';
import { STATUS_CHANGED, type TimelineEntry } from './timeline.ts';

const entry = (second: number, status: JobStatus): TimelineEntry => ({
  at: new Date(second * 1000),
  status,
  ...STATUS_CHANGED,
});

const times = (...entries: [number, JobStatus][]) =>
  stageTimes(entries.map(([second, status]) => entry(second, status))).map(
    ({ stage, startedAt, waitedMs, workedMs }) => [
      stage,
      startedAt.getTime() / 1000,
      waitedMs / 1000,
      workedMs === null ? null : workedMs / 1000,
    ],
  );

it('each stage has the time that it waited, and that it worked', () => {
  expect(
    times(
      [0, 'pull_queued'],
      [2, 'pulling'],
      [5, 'scan_queued'],
      [9, 'scanning'],
      [10, 'staged'],
      [60, 'push_queued'],
      [61, 'pushing'],
      [65, 'pushed'],
    ),
  ).toEqual([
    ['pull', 2, 2, 3],
    ['scan', 9, 4, 1],
    ['push', 61, 1, 4],
  ]);
});

it('a stage that is tried again has a time for each run', () => {
  expect(
    times([0, 'pull_queued'], [1, 'pulling'], [3, 'pull_queued'], [7, 'pulling'], [8, 'failed']),
  ).toEqual([
    ['pull', 1, 1, 2],
    ['pull', 7, 4, 1],
  ]);
});

it('a stage that follows at once has not waited', () => {
  expect(times([1, 'pulling'], [3, 'pushing'], [4, 'pushed'])).toEqual([
    ['pull', 1, 0, 2],
    ['push', 3, 0, 1],
  ]);
});

it('facts that are learned meanwhile neither end a stage nor begin one', () => {
  expect(times([0, 'pull_queued'], [1, 'pulling'], [2, 'pulling'], [4, 'scan_queued'])).toEqual([
    ['pull', 1, 1, 3],
  ]);
});

it('a stage that runs has not worked to its end', () => {
  expect(times([0, 'pull_queued'], [1, 'pulling'])).toEqual([['pull', 1, 1, null]]);
});
