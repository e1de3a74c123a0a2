/** Untyped modules that register a language with cronstrue. */
declare module 'cronstrue/locales/fr.js';
declare module 'cronstrue/locales/de.js';
