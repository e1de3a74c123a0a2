import { FIELD_FAULTS, type FieldFault, type FieldFaultCode } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { loadFieldFaults } from '../i18n/bundles.ts';
import type { Language } from '../i18n/languages.ts';
import { fieldFault } from './field-faults.ts';

const LANGUAGES = ['en', 'fr', 'de'] as const;
const faults = Object.entries(FIELD_FAULTS);

function fault(code: string, params: FieldFault['params'] = {}): FieldFault {
  return { path: 'field', code, params, message: 'as the server says it' };
}

async function text(shown: FieldFault, language: Language): Promise<string> {
  return fieldFault(shown, await loadFieldFaults(language));
}

describe('the message for a field fault', () => {
  it.each(faults)('%s is worded in each language, and differently', async (code) => {
    const texts = await Promise.all(LANGUAGES.map((language) => text(fault(code), language)));
    expect(new Set(texts).size).toBe(LANGUAGES.length);
  });

  it.each(faults)('%s is worded with no other parameters than it has: %s', async (code, names) => {
    const params = Object.fromEntries(names.map((name: string) => [name, `<${name}>`]));
    for (const language of LANGUAGES)
      expect(await text(fault(code, params), language)).not.toMatch(/\{|“”|«\s{2}»|„“/);
  });

  it.each<[FieldFaultCode, FieldFault['params'], (typeof LANGUAGES)[number], string]>([
    ['TOO_SHORT', { minimum: 12 }, 'de', 'Mindestens 12 Zeichen.'],
    ['FOLDER_UNKNOWN', { folder: 'team' }, 'fr', 'Le dossier team n’existe pas.'],
    ['CRON_TOO_OFTEN', { seconds: 60 }, 'de', 'Höchstens eine Ausführung alle 60 s.'],
    ['PATTERN_INVALID', { grammar: 'glob', at: '{a,b' }, 'en', '“{a,b” is not a valid pattern.'],
  ])('%s with %o, in %s: %s', async (code, params, language, words) => {
    expect(await text(fault(code, params), language)).toBe(words);
  });

  it('a denied field has the words of the denial', async () => {
    expect(await text(fault('OVERRIDE_FORBIDDEN'), 'de')).toBe(
      'Sie dürfen die Scan-Richtlinie nicht lockern. Ein Administrator kann dieses Recht erteilen.',
    );
  });

  it('an unknown code keeps the server’s message', async () => {
    expect(await text(fault('NOT_KNOWN_HERE'), 'de')).toBe('as the server says it');
    expect(await text(fault('toString'), 'de')).toBe('as the server says it');
  });
});
