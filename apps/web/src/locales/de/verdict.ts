import { counter } from '../../i18n/count.ts';
import type { verdict as verdictEn } from '../en/verdict.ts';

const count = counter('de');

export const verdict: typeof verdictEn = {
  verdict: {
    pending: 'Noch nicht gescannt',
    clean: 'Sauber',
    findings: 'Schwachstellen gefunden',
    blocked: 'Durch Richtlinie blockiert',
    skipped: 'Nicht gescannt',
    unscannable: 'Nicht vollständig scannbar',
    error: 'Scan fehlgeschlagen',
  },
  short: { blocked: 'Blockiert', findings: 'Schwachstellen' },
  severity: {
    CRITICAL: 'Kritisch',
    HIGH: 'Hoch',
    MEDIUM: 'Mittel',
    LOW: 'Niedrig',
    UNKNOWN: 'Unbekannt',
  },
  counted: {
    CRITICAL: (n) => count(n, 'kritische'),
    HIGH: (n) => count(n, 'hohe'),
    MEDIUM: (n) => count(n, 'mittlere'),
    LOW: (n) => count(n, 'niedrige'),
    UNKNOWN: (n) => count(n, 'unbekannte'),
  },
  findings: (n) => count(n, 'Schwachstelle', 'Schwachstellen'),
  found: (counted, list) => `${counted}: ${list}.`,
  means: {
    clean: 'Der Scan hat das ganze Image abgedeckt und keine Schwachstellen gefunden.',
    skipped: 'Das Image wurde nicht gescannt.',
    unscannable: 'Der Scanner konnte nicht das ganze Image abdecken.',
    error: 'Der Scan ist fehlgeschlagen. Es ist nicht bekannt, ob das Image Schwachstellen hat.',
  },
};
