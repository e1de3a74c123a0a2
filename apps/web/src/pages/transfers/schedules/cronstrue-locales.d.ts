/** They come without types; each makes itself known to cronstrue when it is loaded. */
declare module 'cronstrue/locales/fr.js';
declare module 'cronstrue/locales/de.js';
