import type { Severity, Verdict } from '@portcullis/domain';
import { count } from '../i18n/count.ts';
import { words } from '../i18n/words.ts';

type VerdictWords = Record<Verdict, string>;
type SeverityWords = Record<Severity, string>;

export const useVerdictWords = words({
  en: {
    verdict: {
      pending: 'No verdict yet',
      clean: 'Clean',
      findings: 'Findings',
      blocked: 'Blocked',
      skipped: 'Not scanned',
      unscannable: 'Unscannable',
      error: 'Scan failed',
    } as VerdictWords,
    severity: {
      CRITICAL: 'Critical',
      HIGH: 'High',
      MEDIUM: 'Medium',
      LOW: 'Low',
      UNKNOWN: 'Unknown',
    } as SeverityWords,
    findings: (n: number) => count.en(n, 'finding', 'findings'),
  },
  fr: {
    verdict: {
      pending: 'Pas encore de verdict',
      clean: 'Saine',
      findings: 'Vulnérabilités',
      blocked: 'Bloquée',
      skipped: 'Non analysée',
      unscannable: 'Non analysable',
      error: 'Analyse échouée',
    },
    severity: { CRITICAL: 'Critique', HIGH: 'Élevée', MEDIUM: 'Moyenne', LOW: 'Faible', UNKNOWN: 'Inconnue' },
    findings: (n) => count.fr(n, 'vulnérabilité', 'vulnérabilités'),
  },
  de: {
    verdict: {
      pending: 'Noch kein Urteil',
      clean: 'Sauber',
      findings: 'Befunde',
      blocked: 'Gesperrt',
      skipped: 'Nicht geprüft',
      unscannable: 'Nicht prüfbar',
      error: 'Prüfung gescheitert',
    },
    severity: { CRITICAL: 'Kritisch', HIGH: 'Hoch', MEDIUM: 'Mittel', LOW: 'Niedrig', UNKNOWN: 'Unbekannt' },
    findings: (n) => count.de(n, 'Befund', 'Befunde'),
  },
});
