import { describe, expect, it } from 'vitest';
import { EVERYTHING, isFiltered, parametersOf, queryOf, viewOf } from './audit-filter.ts';

const NOW = Date.parse('2026-11-21T12:00:30Z');

describe('the filter of the audit log', () => {
  it('is restored from the URL unchanged', () => {
    const view = {
      ...EVERYTHING,
      actor: 'mira',
      q: 'team/app:1.2',
      outcome: 'denied',
      range: 'day',
    } as const;
    expect(viewOf(new URLSearchParams(parametersOf(view)))).toEqual(view);
  });

  it('adds nothing to the URL without a filter', () => {
    expect(parametersOf(EVERYTHING)).toEqual({});
    expect(isFiltered(EVERYTHING)).toBe(false);
  });

  it('treats an unknown range as any time', () => {
    expect(viewOf(new URLSearchParams('range=never')).range).toBe('all');
  });

  it.each([
    ['any time', { range: 'all' as const }, undefined],
    ['the last hour, to the minute', { range: 'hour' as const }, '2026-11-21T11:00:00.000Z'],
    ['the last 7 days', { range: 'week' as const }, '2026-11-14T12:00:00.000Z'],
    ['any time for an invalid date', { range: 'own' as const, since: 'x' }, undefined],
  ])('requests %s', (_, part, since) => {
    const query = queryOf({ ...EVERYTHING, ...part }, NOW);
    expect('since' in query ? query.since : undefined).toBe(since);
  });
});
