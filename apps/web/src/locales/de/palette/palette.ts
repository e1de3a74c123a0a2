import { counter } from '../../../i18n/count.ts';
import type { palette as paletteEn } from '../../en/palette/palette.ts';

const count = counter('de');

export const palette: typeof paletteEn = {
  title: 'Alles durchsuchen',
  field: 'Images, Jobs, Schwachstellen, Seiten…',
  close: 'Suche schließen',
  nothing: 'Nichts gefunden. Versuchen Sie es mit einem Teil des Namens.',
  results: (n) => count(n, 'Treffer', 'Treffer'),
  tags: (n) => count(n, 'Tag', 'Tags'),
  disabled: 'Deaktiviertes Konto',
  newPull: 'Image pullen',
  newTransfer: 'Übertragung starten',
  choice: (setting, value) => `${setting}: ${value}`,
  groups: {
    recent: 'Zuletzt verwendet',
    action: 'Seiten und Aktionen',
    image: 'Images in der Registry',
    job: 'Staging-Jobs',
    vulnerability: 'Schwachstellen',
    folder: 'Ordner',
    person: 'Personen',
  },
};
