import { describe, expect, it } from 'vitest';
import { afterDecision, firstSelection, neighbourOf, requestNumber } from './queue-order.ts';

const QUEUE = [9, 7, 4];

it.each([
  ['42', 42],
  ['0', null],
  ['1e3', null],
  ['nginx', null],
  ['9999999999', null],
  [null, null],
])('an address with %s shows the request %s', (text, number) => {
  expect(requestNumber(text)).toBe(number);
});

it.each([
  [null, 1, 9],
  [9, 1, 7],
  [4, 1, null],
  [4, -1, 7],
  [9, -1, null],
  [5, 1, 9],
] as const)('from %s by %s is %s', (current, step, wanted) => {
  expect(neighbourOf(QUEUE, current, step)).toBe(wanted);
});

describe('after a decision', () => {
  it.each([
    [9, 7],
    [7, 4],
    [4, 7],
  ])('about %s, %s is shown', (decided, shown) => {
    expect(afterDecision(QUEUE, decided)).toBe(shown);
  });

  it('nothing is shown where no other request is left', () => {
    expect(afterDecision([4], 4)).toBeNull();
  });
});

it('what is known to be exploited is not selected at first', () => {
  const findings = [
    { vulnerability: 'CVE-1', kev: true },
    { vulnerability: 'CVE-2', kev: false },
    { vulnerability: 'CVE-3', kev: null },
  ];
  expect([...firstSelection({ findings, age: null, signatures: null })]).toEqual([
    'CVE-2',
    'CVE-3',
  ]);
});
