import { FIELD_FAULTS, type FieldFault, type FieldFaultCode } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { fieldFault } from './field-faults.ts';

const LANGUAGES = ['en', 'fr', 'de'] as const;
const faults = Object.entries(FIELD_FAULTS);

function fault(code: string, params: FieldFault['params'] = {}): FieldFault {
  return { path: 'field', code, params, message: 'as the server says it' };
}

describe('the message for a field fault', () => {
  it.each(faults)('%s is worded in each language, and differently', (code) => {
    const texts = LANGUAGES.map((language) => fieldFault(fault(code), language));
    expect(new Set(texts).size).toBe(LANGUAGES.length);
  });

  it.each(faults)('%s is worded with no other parameters than it has: %s', (code, names) => {
    const params = Object.fromEntries(names.map((name: string) => [name, `<${name}>`]));
    for (const language of LANGUAGES)
      expect(fieldFault(fault(code, params), language)).not.toMatch(/\{|“”|« {2}»|„“/);
  });

  it.each<[FieldFaultCode, FieldFault['params'], (typeof LANGUAGES)[number], string]>([
    ['TOO_SHORT', { minimum: 12 }, 'de', 'Mindestens 12 Zeichen.'],
    ['FOLDER_UNKNOWN', { folder: 'team' }, 'fr', 'Le dossier team n’existe pas.'],
    ['CRON_TOO_OFTEN', { seconds: 60 }, 'de', 'Höchstens eine Ausführung alle 60 s.'],
    ['PATTERN_INVALID', { grammar: 'glob', at: '{a,b' }, 'en', '“{a,b” is not a valid pattern.'],
  ])('%s with %o, in %s: %s', (code, params, language, words) => {
    expect(fieldFault(fault(code, params), language)).toBe(words);
  });

  it('an unknown code keeps the server’s message', () => {
    expect(fieldFault(fault('FOLDER_FORBIDDEN'), 'de')).toBe('as the server says it');
  });
});
