import { counter } from '../../i18n/count.ts';
import type { verdict as verdictEn } from '../en/verdict.ts';

const count = counter('de');

export const verdict: typeof verdictEn = {
  verdict: {
    pending: 'Noch kein Urteil',
    clean: 'Sauber',
    findings: 'Befunde',
    blocked: 'Gesperrt',
    skipped: 'Nicht geprüft',
    unscannable: 'Nicht prüfbar',
    error: 'Prüfung gescheitert',
  },
  severity: {
    CRITICAL: 'Kritisch',
    HIGH: 'Hoch',
    MEDIUM: 'Mittel',
    LOW: 'Niedrig',
    UNKNOWN: 'Unbekannt',
  },
  findings: (n) => count(n, 'Befund', 'Befunde'),
  means: {
    clean: 'Die Prüfung hat das Image abgedeckt und nichts gefunden.',
    skipped: 'Das Image wurde nicht geprüft.',
    unscannable:
      'Der Scanner konnte nicht das ganze Image abdecken; sauber heißt es deshalb nicht.',
    error: 'Die Prüfung ist gescheitert; was niemand weiß, heißt nicht sauber.',
  },
};
