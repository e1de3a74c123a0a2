import { describe, expect, it } from 'vitest';
import { isReportDue, keepReporting, type ReportState, waitMs } from './report-loop.ts';

const MINUTE = 60_000;
const now = 100 * MINUTE;
const state = (more: Partial<ReportState> = {}): ReportState => ({
  ...{ now, isCurrent: true, revision: 3, random: 0.5 },
  ...{ accepted: { revision: 3, at: now - MINUTE }, tried: now - MINUTE, failures: 0 },
  ...more,
});

describe('a report is due', () => {
  it.each<[string, Partial<ReportState>, boolean]>([
    ['at first', { accepted: null, tried: null }, true],
    ['not before the pods are listed', { accepted: null, tried: null, isCurrent: false }, false],
    ['not where nothing changed', {}, false],
    ['once something changed', { revision: 4 }, true],
    ['not at once after another', { revision: 4, tried: now - 1_000 }, false],
    ['after five minutes', { accepted: { revision: 3, at: now - 5 * MINUTE } }, true],
    [
      'never while the API server is away: that must be noticed',
      { accepted: { revision: 3, at: now - 60 * MINUTE }, isCurrent: false },
      false,
    ],
    ['again after a failure', { failures: 1, tried: now - 2_000 }, true],
    ['not at once after a failure', { failures: 1, tried: now - 500 }, false],
    ['not soon after many', { failures: 9, tried: now - MINUTE }, false],
  ])('%s', (_, more, expected) => {
    expect(isReportDue(state(more))).toBe(expected);
  });
});

it('pauses are doubled up to a limit, and a half of each is chance', () => {
  const wait = (failures: number, random: number) =>
    waitMs({ failures, random, first: 1_000, last: 60_000 });
  expect([0, 1, 2, 3, 7, 99].map((failures) => wait(failures, 1))).toEqual([
    ...[1_000, 1_000, 2_000, 4_000, 60_000, 60_000],
  ]);
  expect(wait(1, 0)).toBe(500);
});

it('what changes during a report is reported next, and a failure does not end it', async () => {
  let [time, revision, looks] = [0, 1, 0];
  const sent: string[] = [];
  const faults: string[] = [];
  await keepReporting(
    {
      ...{ isCurrent: () => true, revision: () => revision },
      ...{ now: () => time, random: () => 1 },
      async report() {
        sent.push(`${revision} at ${time}`);
        if (sent.length === 1) revision = 2;
        if (sent.length === 2) throw new Error('503');
      },
      fault: (error) => faults.push(String(error)),
      async pause() {
        time += 1_000;
        looks += 1;
      },
    },
    () => looks === 20,
  );
  expect(sent).toEqual(['1 at 0', '2 at 5000', '2 at 7000']);
  expect(faults).toEqual(['Error: 503']);
});
