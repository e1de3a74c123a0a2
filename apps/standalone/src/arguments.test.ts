import { expect, it } from 'vitest';
import { workersOf } from './arguments.ts';

it.each([
  [[], 1],
  [['--workers', '3'], 3],
  [['--workers=32'], 32],
])('%j starts workers: %d', (args, count) => {
  expect(workersOf(args)).toBe(count);
});

it.each([
  [['--workers', '0']],
  [['--workers', '1.5']],
  [['--workers', 'many']],
  [['--workers=33']],
])('%j is refused with what is allowed', (args) => {
  expect(() => workersOf(args)).toThrow('--workers is a number from 1 to 32');
});

it.each([[['--worker', '2']], [['again']], [['--workers']]])('%j is not known', (args) => {
  expect(() => workersOf(args)).toThrow('npm start knows --workers N alone');
});
