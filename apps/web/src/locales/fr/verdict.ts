import { counter } from '../../i18n/count.ts';
import type { verdict as verdictEn } from '../en/verdict.ts';

const count = counter('fr');

export const verdict: typeof verdictEn = {
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
  findings: (n) => count(n, 'vulnérabilité', 'vulnérabilités'),
  means: {
    clean: 'L’analyse a couvert l’image et n’a rien trouvé.',
    skipped: 'L’image n’a pas été analysée.',
    unscannable: 'L’analyseur n’a pas pu couvrir toute l’image : on ne peut pas la dire saine.',
    error: 'L’analyse a échoué ; ce qu’on ignore n’est pas dit sain.',
  },
};
