import { describe, expect, it } from 'vitest';
import { filterOf, parametersOf, queryOf } from './waiver-filter.ts';

const PLAIN = { view: null, q: '', folder: null, sort: '-created_at', open: null } as const;
const read = (text: string) => filterOf(new URLSearchParams(text));

describe('the filter of waivers', () => {
  it.each([
    ['', {}],
    ['state=requested&q=CVE-2026', { view: 'requested', q: 'CVE-2026' }],
    ['state=nonsense&sort=reason&open=7', { open: '7' }],
    ['sort=expires_at', { sort: 'expires_at' }],
  ])('is read from “%s”', (text, expected) => {
    expect(read(text)).toEqual({ ...PLAIN, ...expected });
  });

  it('is written as it is read', () => {
    const text = 'state=expired&q=openssl&folder=team&sort=-state&open=7';
    expect(new URLSearchParams(parametersOf(read(text))).toString()).toBe(text);
  });

  it.each([
    ['all', { q: 'CVE' }],
    ['review', { q: 'CVE', reviewable: 'true' }],
    ['rejected', { q: 'CVE', state: 'rejected' }],
  ] as const)('%s asks for its waivers', (view, expected) => {
    expect(queryOf({ ...PLAIN, view, q: ' CVE ' })).toEqual(expected);
  });

  it('asks for one folder', () => {
    const question = { ...PLAIN, view: 'all', folder: 'team' } as const;
    expect(queryOf(question)).toEqual({ q: '', folder: 'team' });
  });

  it('asks for an order other than the usual one', () => {
    const question = { ...PLAIN, view: 'all', sort: 'state' } as const;
    expect(queryOf(question)).toEqual({ q: '', sort: 'state' });
  });
});
