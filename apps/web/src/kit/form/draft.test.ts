import { describe, expect, it } from 'vitest';
import { changesOf, orNull } from './draft.ts';

describe('what is sent when settings are saved', () => {
  const stored = { host: 'mail', port: 587, to: ['a@b'], password: '********' as string | null };
  it.each([
    ['nothing where nothing was typed', {}, {}],
    ['only what was typed', { port: 25 }, { port: 25 }],
    ['nothing of what was typed and taken back', { port: 587, to: ['a@b'] }, {}],
    ['a list with another entry', { to: ['a@b', 'c@d'] }, { to: ['a@b', 'c@d'] }],
    ['a secret that is taken away', { password: null }, { password: null }],
    ['no secret that stayed masked', { password: '********' }, {}],
  ])('%s', (_, typed, expected) => {
    expect(changesOf(stored, typed)).toEqual(expected);
  });

  it('an empty field is null', () => {
    expect(orNull('  ')).toBeNull();
    expect(orNull('mail')).toBe('mail');
  });
});
