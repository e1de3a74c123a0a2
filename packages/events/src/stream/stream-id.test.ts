import { describe, expect, it } from 'vitest';
import { compareIds, earliest, following, isStreamId } from './stream-id.ts';

describe('a stream id', () => {
  it.each([
    ['9-0', '10-0', -1],
    ['10-2', '10-10', -1],
    ['10-1', '10-1', 0],
    ['1700000000001-0', '1700000000000-99', 1],
  ])('%s against %s', (a, b, order) => {
    expect(compareIds(a, b)).toBe(order);
  });

  it('has a next id and an earliest id', () => {
    expect(following('5-9')).toBe('5-10');
    expect(earliest(['10-0', '9-7', '9-12'])).toBe('9-7');
    expect(earliest([])).toBeNull();
  });

  it.each([
    ['1-0', true],
    ['$', false],
    ['-', false],
    ['1', false],
    ['1-0 COUNT 1', false],
    [`${'9'.repeat(40)}-0`, false],
  ])('%s is valid: %s', (text, expected) => {
    expect(isStreamId(text)).toBe(expected);
  });
});
