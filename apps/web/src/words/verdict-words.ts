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
    means: {
      clean: 'The scan covered the image and found nothing.',
      skipped: 'The image was not scanned.',
      unscannable: 'The scanner couldn’t cover the whole image, so that it can’t be called clean.',
      error: 'The scan failed; what isn’t known isn’t called clean.',
    },
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
    severity: {
      CRITICAL: 'Critique',
      HIGH: 'Élevée',
      MEDIUM: 'Moyenne',
      LOW: 'Faible',
      UNKNOWN: 'Inconnue',
    },
    findings: (n) => count.fr(n, 'vulnérabilité', 'vulnérabilités'),
    means: {
      clean: 'L’analyse a couvert l’image et n’a rien trouvé.',
      skipped: 'L’image n’a pas été analysée.',
      unscannable: 'L’analyseur n’a pas pu couvrir toute l’image : on ne peut pas la dire saine.',
      error: 'L’analyse a échoué ; ce qu’on ignore n’est pas dit sain.',
    },
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
    severity: {
      CRITICAL: 'Kritisch',
      HIGH: 'Hoch',
      MEDIUM: 'Mittel',
      LOW: 'Niedrig',
      UNKNOWN: 'Unbekannt',
    },
    findings: (n) => count.de(n, 'Befund', 'Befunde'),
    means: {
      clean: 'Die Prüfung hat das Image abgedeckt und nichts gefunden.',
      skipped: 'Das Image wurde nicht geprüft.',
      unscannable:
        'Der Scanner konnte nicht das ganze Image abdecken; sauber heißt es deshalb nicht.',
      error: 'Die Prüfung ist gescheitert; was niemand weiß, heißt nicht sauber.',
    },
  },
});
