import { words } from '../i18n/words.ts';

export const useCopyWords = words({
  en: { copy: 'Copy', copied: 'Copied' },
  fr: { copy: 'Copier', copied: 'Copié' },
  de: { copy: 'Kopieren', copied: 'Kopiert' },
});
