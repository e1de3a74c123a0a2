import { describe, expect, it } from 'vitest';
import { filterOf, parametersOf, queryOf } from './waiver-filter.ts';

const read = (text: string) => filterOf(new URLSearchParams(text));

describe('the filter of waivers', () => {
  it.each([
    ['', { view: null, q: '', folder: null, open: null }],
    ['state=requested&q=CVE-2026', { view: 'requested', q: 'CVE-2026', folder: null, open: null }],
    ['state=nonsense&open=7', { view: null, q: '', folder: null, open: '7' }],
  ])('is read from “%s”', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('is written as it is read', () => {
    const text = 'state=expired&q=openssl&folder=team&open=7';
    expect(new URLSearchParams(parametersOf(read(text))).toString()).toBe(text);
  });

  it.each([
    ['all', { q: 'CVE' }],
    ['review', { q: 'CVE', reviewable: 'true' }],
    ['rejected', { q: 'CVE', state: 'rejected' }],
  ] as const)('%s asks for its waivers', (view, expected) => {
    expect(queryOf({ view, q: ' CVE ', folder: null })).toEqual(expected);
  });

  it('asks for one folder', () => {
    const question = { view: 'all', q: '', folder: 'team' } as const;
    expect(queryOf(question)).toEqual({ q: '', folder: 'team' });
  });
});
