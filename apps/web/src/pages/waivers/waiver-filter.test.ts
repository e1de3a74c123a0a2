import { describe, expect, it } from 'vitest';
import { ANY_WAIVER, filterOf, isNarrowed, parametersOf, queryOf } from './waiver-filter.ts';

const PLAIN = { ...ANY_WAIVER, view: null, sort: '-created_at', open: null } as const;
const NOW = Date.parse('2026-11-27T12:00:30Z');
const read = (text: string) => filterOf(new URLSearchParams(text));

describe('the filter of waivers', () => {
  it.each([
    ['', {}],
    ['state=requested&q=CVE-2026', { view: 'requested', q: 'CVE-2026' }],
    ['state=nonsense&sort=reason&open=7', { open: '7' }],
    ['sort=expires_at', { sort: 'expires_at' }],
    ['requester=ann&range=week&ends=month', { requester: 'ann', range: 'week', ends: 'month' }],
    ['range=ever&ends=never', {}],
  ])('is read from “%s”', (text, expected) => {
    expect(read(text)).toEqual({ ...PLAIN, ...expected });
  });

  it('is written as it is read', () => {
    const text =
      'state=expired&q=openssl&folder=team&requester=ann&range=day&ends=week&sort=-state&open=7';
    expect(new URLSearchParams(parametersOf(read(text))).toString()).toBe(text);
  });

  it.each([
    ['all', { q: 'CVE' }],
    ['review', { q: 'CVE', reviewable: 'true' }],
    ['rejected', { q: 'CVE', state: 'rejected' }],
  ] as const)('%s asks for its waivers', (view, expected) => {
    expect(queryOf({ ...PLAIN, view, q: ' CVE ' }, NOW)).toEqual(expected);
  });

  it('asks for one folder', () => {
    const question = { ...PLAIN, view: 'all', folder: 'team' } as const;
    expect(queryOf(question, NOW)).toEqual({ q: '', folder: 'team' });
  });

  it('asks for an order other than the usual one', () => {
    const question = { ...PLAIN, view: 'all', sort: 'state' } as const;
    expect(queryOf(question, NOW)).toEqual({ q: '', sort: 'state' });
  });

  it('asks for a requester and for times, to the minute', () => {
    const question = { ...PLAIN, view: 'all', requester: ' ann ', range: 'day' } as const;
    expect(queryOf({ ...question, ends: 'week' }, NOW)).toEqual({
      q: '',
      requested_by: 'ann',
      since: '2026-11-26T12:00:00.000Z',
      ends_after: '2026-11-27T12:00:00.000Z',
      ends_before: '2026-12-04T12:00:00.000Z',
    });
  });

  it.each([
    [{}, false],
    [{ sort: 'state' } as const, false],
    [{ ends: 'week' } as const, true],
    [{ requester: 'ann' }, true],
  ])('with %j leaves out more than the view: %s', (change, narrowed) => {
    expect(isNarrowed({ ...PLAIN, ...change })).toBe(narrowed);
  });
});
