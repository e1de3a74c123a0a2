import { expect, it } from 'vitest';
import { byDay } from './notification-days.ts';

/** In the time zone of this machine. */
const time = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute);
const of = (...times: Date[]) => times.map((each) => ({ created_at: each.toISOString() }));

function days(now: Date, ...times: Date[]) {
  return byDay(of(...times), now).map(({ name, items }) => [name, items.length]);
}

it('has no day without notifications', () => {
  expect(days(time(29, 12))).toEqual([]);
});

it('names today and yesterday, and no earlier day', () => {
  const now = time(29, 12);
  expect(days(now, time(29, 11), time(29, 0), time(28, 23, 59), time(27, 8), time(20, 8))).toEqual([
    ['today', 2],
    ['yesterday', 1],
    [null, 1],
    [null, 1],
  ]);
});

it('counts days of the calendar, also where one has 23 hours', () => {
  const now = time(30, 0, 5);
  expect(days(now, time(29, 23, 55), time(29, 0, 1), time(28, 23, 59))).toEqual([
    ['yesterday', 2],
    [null, 1],
  ]);
});

it('keeps the order, and the time of the newest of each day', () => {
  const items = of(time(29, 11), time(29, 9), time(28, 9));
  expect(byDay(items, time(29, 12))).toEqual([
    { name: 'today', at: items[0]?.created_at, items: items.slice(0, 2) },
    { name: 'yesterday', at: items[2]?.created_at, items: items.slice(2) },
  ]);
});

it('takes a time in the future for an earlier day without a name', () => {
  expect(days(time(29, 23, 59), time(30, 0, 1))).toEqual([[null, 1]]);
});
