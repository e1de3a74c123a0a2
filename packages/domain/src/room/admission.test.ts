import { describe, expect, it } from 'vitest';
import { missingRoom, pauseOfPull, type Room, type WaitingPull } from './admission.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const EMPTY: Room = { bytes: 100, promised: 0, waiting: [], now: NOW };

const pull = (bytes: number, createdAt = 50) => ({ jobId: `j${createdAt}`, createdAt, bytes });
const waiting = (bytes: number, createdAt: number, minutes = 1): WaitingPull => ({
  ...pull(bytes, createdAt),
  refusedAt: NOW - minutes * MINUTE,
});

describe('a pull', () => {
  it.each<[string, number, Partial<Room>, number]>([
    ['begins where it fits', 100, {}, 0],
    ['waits for what is missing', 101, {}, 1],
    ['leaves what others were promised', 50, { promised: 60 }, 10],
    ['leaves the room of an older one that waits', 50, { waiting: [waiting(80, 10)] }, 30],
    ['does not wait for a younger one', 50, { waiting: [waiting(80, 60)] }, -50],
    ['does not wait for itself', 50, { waiting: [waiting(50, 50)] }, -50],
    ['begins beside an older one if both fit', 50, { waiting: [waiting(50, 10)] }, 0],
    [
      'leaves the room of the oldest alone',
      50,
      { waiting: [waiting(70, 20), waiting(60, 10), waiting(70, 30)] },
      10,
    ],
    [
      'passes one that has had precedence for ten minutes',
      50,
      { waiting: [waiting(80, 10, 10)] },
      -50,
    ],
  ])('%s', (_, bytes, room, missing) => {
    expect(missingRoom(pull(bytes), { ...EMPTY, ...room })).toBe(missing);
  });

  it('of two that were created together only one waits for the other', () => {
    const [one, other] = [pull(60), { ...pull(60), jobId: 'j51' }];
    const refused = (request: typeof one) => ({ ...request, refusedAt: NOW });
    const room = { ...EMPTY, waiting: [refused(one), refused(other)] };
    expect([missingRoom(one, room), missingRoom(other, room)]).toEqual([-40, 20]);
  });
});

it.each([
  [0, 5],
  [40, 10],
  [100, 25],
  [86_400, 60],
])('a pull that has waited for %i seconds asks again after %i', (waited, seconds) => {
  expect(pauseOfPull({ refusedAt: NOW }, NOW + waited * 1000)).toBe(seconds);
});
