import { describe, expect, it } from 'vitest';
import { addedBytes, fitsQuota, isFull, writtenBytes } from './folder-quota.ts';

describe('a quota', () => {
  it.each([
    ['anything where it is not set', { quota: null, used: 1e15, adds: 1e15 }, true],
    ['up to the last byte', { quota: 100, used: 60, adds: 40 }, true],
    ['not one byte more', { quota: 100, used: 60, adds: 41 }, false],
    ['what the folder has, although it is full', { quota: 100, used: 100, adds: 0 }, true],
    ['what the folder has, although the quota was lowered', { quota: 1, used: 9, adds: 0 }, true],
    ['nothing new while it is exceeded', { quota: 1, used: 9, adds: 1 }, false],
    ['no size that a number can not hold', { quota: 2 ** 53 - 1, used: 1, adds: 2 ** 53 }, false],
  ])('admits %s', (_, question, fits) => {
    expect(fitsQuota(question)).toBe(fits);
  });

  it('is full once it is reached', () => {
    expect(isFull({ quota: 100, used: 99 })).toBe(false);
    expect(isFull({ quota: 100, used: 100 })).toBe(true);
    expect(isFull({ quota: null, used: 100 })).toBe(false);
  });
});

describe('the bytes that contents add', () => {
  it('count each digest once, and not those that the folder has', () => {
    const contents = [
      { digest: 'a', size: 10 },
      { digest: 'b', size: 5 },
      { digest: 'a', size: 10 },
      { digest: 'c', size: 100 },
    ];
    expect(addedBytes(contents, new Map([['c', 100]]))).toBe(15);
  });

  it('count the largest size that is stated of a digest', () => {
    const contents = [
      { digest: 'a', size: 1 },
      { digest: 'a', size: 50 },
    ];
    expect(addedBytes(contents, new Map())).toBe(50);
    expect(addedBytes(contents, new Map([['a', 20]]))).toBe(30);
  });

  it('are none where the folder counts more', () => {
    expect(addedBytes([{ digest: 'a', size: 1 }], new Map([['a', 20]]))).toBe(0);
  });
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [4_100_000_000, '4.1 GB'],
  [10_000_000_000, '10 GB'],
  [10_737_418_240, '10.7 GB'],
  [123_456_789, '123 MB'],
  [9e18, '9000 PB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(writtenBytes(bytes)).toBe(text);
});
