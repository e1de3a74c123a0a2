import { counter } from '../../i18n/count.ts';
import type { verdict as verdictEn } from '../en/verdict.ts';

const count = counter('fr');

export const verdict: typeof verdictEn = {
  verdict: {
    pending: 'Pas encore analysée',
    clean: 'Saine',
    findings: 'Vulnérabilités',
    blocked: 'Bloquée par la politique',
    skipped: 'Non analysée',
    unscannable: 'Analyse incomplète',
    error: 'Échec de l’analyse',
  },
  short: { blocked: 'Bloquée', findings: 'Vulnérabilités' },
  severity: {
    CRITICAL: 'Critique',
    HIGH: 'Élevée',
    MEDIUM: 'Moyenne',
    LOW: 'Faible',
    UNKNOWN: 'Inconnue',
  },
  counted: {
    CRITICAL: (n) => count(n, 'critique', 'critiques'),
    HIGH: (n) => count(n, 'élevée', 'élevées'),
    MEDIUM: (n) => count(n, 'moyenne', 'moyennes'),
    LOW: (n) => count(n, 'faible', 'faibles'),
    UNKNOWN: (n) => count(n, 'inconnue', 'inconnues'),
  },
  findings: (n) => count(n, 'vulnérabilité', 'vulnérabilités'),
  found: (counted, list) => `${counted} : ${list}.`,
  means: {
    clean: 'L’analyse a couvert toute l’image et n’a trouvé aucune vulnérabilité.',
    skipped: 'L’image n’a pas été analysée.',
    unscannable: 'L’analyseur n’a pas pu couvrir toute l’image.',
    error: 'L’analyse a échoué : on ne sait pas si l’image a des vulnérabilités.',
  },
};
