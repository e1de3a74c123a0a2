import { words } from '../i18n/words.ts';

export const useConfirmWords = words({
  en: { cancel: 'Cancel' },
  fr: { cancel: 'Annuler' },
  de: { cancel: 'Abbrechen' },
});
