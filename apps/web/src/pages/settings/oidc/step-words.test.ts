import { OIDC_TEST_CODES, OIDC_TEST_STEPS, type OidcTestCode } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { oidcTest as de } from '../../../locales/generated/de/pages.bundle.ts';
import { oidcTest as en } from '../../../locales/generated/en/pages.bundle.ts';
import { oidcTest as fr } from '../../../locales/generated/fr/pages.bundle.ts';
import { stepWords } from './step-words.ts';

const LANGUAGES = { en, de, fr };
/** What is shown apart from the sentence. */
const APART = ['fault', 'reason'];

describe.each(Object.entries(LANGUAGES))('in %s', (_, t) => {
  it.each(Object.entries(OIDC_TEST_CODES))(
    '%s has words, with all that it names',
    (code, names) => {
      const shown = names.filter((name) => !APART.includes(name));
      const params = Object.fromEntries(
        shown.map((name) => [name, name === 'count' ? 7 : `the-${name}`]),
      );
      const words = stepWords({ code: code as OidcTestCode, params }, t) ?? '';
      expect(words).not.toBe('');
      for (const value of Object.values(params)) expect(words).toContain(String(value));
    },
  );

  it('each step has a name, and there are no others', () => {
    expect(Object.keys(t.steps)).toEqual([...OIDC_TEST_STEPS]);
    expect(Object.keys(t.outcomes).toSorted()).toEqual(Object.keys(OIDC_TEST_CODES).toSorted());
  });

  it('an unknown code has no words', () => {
    expect(stepWords({ code: 'toString' as OidcTestCode, params: {} }, t)).toBeUndefined();
  });
});
