import { describe, expect, it } from 'vitest';
import { parseRecent, type RecentEntry, withUsed } from './recent.ts';

const entry = (id: string): RecentEntry => ({ id, kind: 'image', label: id, path: `/${id}` });

describe('an entry that was used', () => {
  it('is the first, once', () => {
    const recent = withUsed([entry('a'), entry('b')], entry('b'));
    expect(recent.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('displaces the oldest', () => {
    const many = Array.from({ length: 20 }, (_, index) => entry(`${index}`));
    const recent = withUsed(many, entry('new'));
    expect(recent).toHaveLength(20);
    expect(recent.at(-1)?.id).toBe('18');
  });
});

describe('stored entries', () => {
  it('are read as they were written', () => {
    const recent = [{ ...entry('a'), note: '3 tags' }];
    expect(parseRecent(JSON.stringify(recent))).toEqual(recent);
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['no list', '{"a":1}'],
    ['an entry of another form', '[null, 1, {"id":"a"}]'],
    ['an unknown kind', JSON.stringify([{ ...entry('a'), kind: 'chart' }])],
    ['an address of another site', JSON.stringify([{ ...entry('a'), path: '//evil.example' }])],
  ])('are empty for %s', (_, text) => {
    expect(parseRecent(text)).toEqual([]);
  });
});
