import { counter } from '../../../i18n/count.ts';
import type { retention as english } from '../../en/folders/retention.ts';

const count = counter('de');

export const retention: typeof english = {
  title: 'Aufbewahrung',
  none: 'Alle Tags bleiben erhalten.',
  keeps: (what) => `Behält ${what}. Alle anderen Tags werden einmal täglich entfernt.`,
  newestTags: (n) =>
    n === 1
      ? 'den neuesten Tag jedes Repositorys'
      : `die ${count(n, 'neuesten Tag', 'neuesten Tags')} jedes Repositorys`,
  tagsOfDays: (n) =>
    n === 1 ? 'Tags des letzten Tages' : `Tags der letzten ${count(n, 'Tag', 'Tage')}`,
  matchingTags: (globs) => `Tags, die ${globs} entsprechen`,
  change: 'Ändern',
  running: (removed) => `Ein Lauf ist im Gange: bisher ${count(removed, 'Tag', 'Tags')} entfernt.`,
  lastRun: 'Letzter Lauf',
  lastRunFailed: 'Der letzte Lauf ist fehlgeschlagen',
  result: (removed, kept) =>
    `${count(removed, 'Tag', 'Tags')} entfernt, ${count(kept, 'Tag', 'Tags')} behalten.`,
  failed: (n) =>
    `${count(n, 'Tag konnte', 'Tags konnten')} nicht entfernt werden; das Audit-Protokoll nennt den Grund.`,
  runNow: 'Jetzt ausführen…',
  runTitle: 'Tags jetzt entfernen?',
  runAction: 'Tags entfernen',
  started: 'Die Tags werden entfernt.',
  dialogTitle: 'Aufbewahrung von Tags',
  removes: 'Alte Tags entfernen',
  removesHint:
    'Einmal täglich, zum ersten Mal ein bis zwei Stunden nach dem Speichern. Ein Tag bleibt, sobald eine dieser Bedingungen auf ihn zutrifft.',
  keepNewest: 'Anzahl der neuesten Tags',
  keepNewestHint:
    'Je Repository, nach dem Zeitpunkt des letzten Pushs. Leer: Die Anzahl spielt keine Rolle.',
  keepDays: 'Aufbewahrung in Tagen',
  keepDaysHint: 'Nach dem letzten Push eines Tags. Leer: Das Alter spielt keine Rolle.',
  keep: 'Tags, die immer bleiben',
  keepHint: 'Muster, etwa v* für alle Tags, die mit v beginnen. Auch unveränderliche Tags bleiben.',
  incompleteRule: 'Geben Sie eine Anzahl von Tags, eine Anzahl von Tagen oder beides an.',
  effect:
    'Signaturen werden mit dem letzten Tag ihres Images entfernt. Den Speicherplatz gibt die nächste Garbage Collection frei.',
  preview: 'Vorschau',
  removesNothing: (kept) =>
    `Würde jetzt nichts entfernen: ${count(kept, 'Tag bleibt', 'Tags bleiben')}.`,
  wouldRemove: (removed, kept, repositories) =>
    `Würde jetzt ${count(removed, 'Tag', 'Tags')} entfernen und ${count(kept, 'Tag', 'Tags')} in ${count(repositories, 'Repository', 'Repositories')} behalten.`,
  more: (n) => `und ${count(n, 'weiterer Tag', 'weitere Tags')}`,
  incomplete: 'Der Ordner ist groß: Nicht alle Repositories sind mitgezählt.',
  saved: 'Die Aufbewahrung wurde gespeichert.',
};
