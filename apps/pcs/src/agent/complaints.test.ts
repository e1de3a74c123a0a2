import { expect, it } from 'vitest';
import { createComplaints } from './complaints.ts';

it('a fault is said at once, again every ten minutes, and as a new one after it was over', () => {
  let now = 0;
  const said: string[] = [];
  const { say, settle } = createComplaints(
    (text) => said.push(`${text} ${now / 60_000}`),
    () => now,
  );
  for (; now <= 20 * 60_000; now += 60_000) say('away');
  say('forbidden');
  settle();
  say('forbidden');
  expect(said).toEqual(['away 0', 'away 10', 'away 20', 'forbidden 21', 'forbidden 21']);
});
