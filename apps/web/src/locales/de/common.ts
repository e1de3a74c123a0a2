import type { common as commonEn } from '../en/common.ts';

export const common: typeof commonEn = {
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  unsaved: 'Nicht gespeicherte Änderungen',
  discard: 'Verwerfen',
  save: 'Speichern',
  remove: 'Löschen…',
  close: 'Schließen',
  clear: 'Leeren',
  reveal: 'Passwort anzeigen',
};
