import { describe, expect, it } from 'vitest';
import { navigation as navigationOfGerman } from '../../locales/generated/de/jobs.bundle.ts';
import { synonyms as german } from '../../locales/generated/de/pages.bundle.ts';
import { navigation as navigationOfEnglish } from '../../locales/generated/en/jobs.bundle.ts';
import { synonyms as english } from '../../locales/generated/en/pages.bundle.ts';
import { navigation as navigationOfFrench } from '../../locales/generated/fr/jobs.bundle.ts';
import { synonyms as french } from '../../locales/generated/fr/pages.bundle.ts';
import { NAVIGATION } from '../navigation-items.ts';
import { groupsOf } from './groups.ts';

const places = NAVIGATION.flatMap(({ items }) => items.flatMap((item) => item.places));

/** The labels of the pages that a text finds. */
function foundBy(
  typed: string,
  synonyms: typeof english,
  navigation: typeof navigationOfEnglish,
): string[] {
  const actions = places.map(({ path, label }) => ({
    ...{ id: path, kind: 'action' as const, icon: () => null },
    ...{ label: navigation[label], synonyms: synonyms[label] },
  }));
  const groups = groupsOf({ typed, actions, recent: [], found: [] });
  return groups.flatMap(({ entries }) => entries.map(({ label }) => label));
}

describe('the palette finds a page by what people call it', () => {
  it.each([
    ['new user', 'Users'],
    ['quota', 'Folders'],
    ['retention', 'Folders'],
    ['project', 'Folders'],
    ['policy', 'Policies'],
    ['policy', 'Scan policy'],
    ['certificate', 'Network'],
    ['mail', 'Network'],
    ['SMTP', 'Network'],
    ['cosign', 'Authorities'],
    ['cron', 'Schedules'],
    ['replication', 'Transfers'],
    ['password', 'My account'],
    ['ldap', 'Single sign-on'],
    ['garbage', 'System'],
    ['who', 'Audit log'],
  ])('in English: %s', (typed, label) => {
    expect(foundBy(typed, english, navigationOfEnglish)).toContain(label);
  });

  it.each([
    ['neuer benutzer', 'Benutzer'],
    ['kontingent', 'Ordner'],
    ['aufbewahrung', 'Ordner'],
    ['policy', 'Richtlinien'],
    ['zertifikat', 'Netzwerk'],
    ['passwort', 'Mein Konto'],
    ['wer', 'Audit-Protokoll'],
  ])('in German: %s', (typed, label) => {
    expect(foundBy(typed, german, navigationOfGerman)).toContain(label);
  });

  it.each([
    ['nouvel utilisateur', 'Utilisateurs'],
    ['quota', 'Dossiers'],
    ['retention', 'Dossiers'],
    ['certificat', 'Réseau'],
    ['mot de passe', 'Mon compte'],
    ['courriel', 'Réseau'],
  ])('in French: %s', (typed, label) => {
    expect(foundBy(typed, french, navigationOfFrench)).toContain(label);
  });
});
