import { describe, expect, it } from 'vitest';
import { audit as german } from '../../locales/generated/de/pages.bundle.ts';
import { audit as english } from '../../locales/generated/en/pages.bundle.ts';
import { eventChoices, isFound } from './event-choices.ts';
import { eventWords } from './event-words.ts';

describe('the choice of an audit event', () => {
  const choices = eventChoices(english.events, { language: 'en', chosen: '' });
  const found = (search: string) =>
    choices.filter((each) => isFound(each, search)).map(({ value }) => value);

  it('has every event once, in the order of the names', () => {
    expect(choices.map(({ value }) => value).toSorted()).toEqual(
      Object.keys(english.events).toSorted(),
    );
    expect(choices.map(({ label }) => label).slice(0, 2)).toEqual([
      'Add a member to a group',
      'Add a registry',
    ]);
  });

  it('sorts umlauts as German does', () => {
    const labels = eventChoices(german.events, { language: 'de', chosen: '' }).map(
      ({ label }) => label,
    );
    expect(labels.indexOf('Über den Pull eines blockierten Images entschieden')).toBeLessThan(
      labels.indexOf('Vertrauensregel ändern'),
    );
  });

  it.each([
    ['words of the name, in any order', 'folder create', ['folder.create']],
    ['the code', 'image.retag', ['image.retag']],
    ['any case', 'SINGLE SIGN', ['oidc.settings', 'oidc.test']],
    ['nothing else', 'coffee', []],
  ])('is found by %s', (_, search, codes) => {
    expect(found(search)).toEqual(codes);
  });

  it('keeps an event of another release, by its code', () => {
    const chosen = 'moon.landed';
    expect(eventWords(english.events, chosen)).toBe(chosen);
    expect(eventWords(english.events, 'toString')).toBe('toString');
    expect(eventChoices(english.events, { language: 'en', chosen })).toContainEqual({
      value: chosen,
      label: chosen,
    });
  });
});
