import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { expect, it } from 'vitest';
import { createHolds } from './holds.ts';

const { promise: forever } = Promise.withResolvers<string>();

/** How many of the pulls are held: those beyond have their first decision at once. */
async function heldOf(pulls: [account: string, image: string][]): Promise<number> {
  const holds = createHolds();
  const answered = pulls.map(([accountId, image]) => {
    const response = new EventEmitter() as Response;
    return holds.hold({ accountId, image, response }, 'first', () => forever);
  });
  const marked = answered.map((answer) => Promise.race([answer, Promise.resolve('held')]));
  return (await Promise.all(marked)).filter((each) => each === 'held').length;
}

const times = <T>(count: number, of: (nth: number) => T) =>
  Array.from({ length: count }, (_, n) => of(n));

it.each<[string, [string, string][], number]>([
  ['200 pulls of one image by one account', times(200, () => ['robot', 'app']), 200],
  ['no more than 256 pulls of an account', times(300, () => ['robot', 'app']), 256],
  ['no more than 32 images of an account', times(40, (n) => ['robot', `app-${n}`]), 32],
  ['no more than 1,024 pulls', times(1_100, (n) => [`account-${n % 10}`, 'app']), 1_024],
])('holds %s', async (_, pulls, expected) => {
  expect(await heldOf(pulls)).toBe(expected);
});

it('has room again when a pull is answered', async () => {
  const holds = createHolds();
  const hold = (image: string, answer: Promise<string>) =>
    holds.hold(
      { accountId: 'robot', image, response: new EventEmitter() as Response },
      'first',
      () => answer,
    );
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = times(32, (n) => hold(`app-${n}`, promise));
  expect(await hold('another', forever)).toBe('first');
  resolve('served');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['served']));
  expect(await hold('another', Promise.resolve('served'))).toBe('served');
});
