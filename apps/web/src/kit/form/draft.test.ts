import { describe, expect, it } from 'vitest';
import { changesOf, orNull } from './draft.ts';

describe('what is sent when settings are saved', () => {
  const stored = { host: 'mail', port: 587, to: ['a@b'], password: '********' as string | null };
  it.each([
    ['nothing without a change', {}, {}],
    ['only changed values', { port: 25 }, { port: 25 }],
    ['no value that was changed back', { port: 587, to: ['a@b'] }, {}],
    ['a changed list', { to: ['a@b', 'c@d'] }, { to: ['a@b', 'c@d'] }],
    ['null for a removed secret', { password: null }, { password: null }],
    ['no masked secret', { password: '********' }, {}],
  ])('%s', (_, typed, expected) => {
    expect(changesOf(stored, typed)).toEqual(expected);
  });

  it('an empty field is null', () => {
    expect(orNull('  ')).toBeNull();
    expect(orNull('mail')).toBe('mail');
  });
});
