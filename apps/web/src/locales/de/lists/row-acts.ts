import { counter } from '../../../i18n/count.ts';
import type { rowActs as rowActsEn } from '../../en/lists/row-acts.ts';

const count = counter('de');

export const rowActs: typeof rowActsEn = {
  tags: (n) => `${count(n, 'Tag wird', 'Tags werden')} gelöscht.`,
  scan: 'Scannen',
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  users: {
    disable: (n) => `${count(n, 'Konto wird', 'Konten werden')} deaktiviert.`,
    enable: (n) => `${count(n, 'Konto wird', 'Konten werden')} aktiviert.`,
  },
  transfers: {
    cancel: (n) => `${count(n, 'Übertragung wird', 'Übertragungen werden')} abgebrochen.`,
    remove: (n) => `${count(n, 'Übertragung wird', 'Übertragungen werden')} gelöscht.`,
  },
  schedules: {
    pauseLabel: 'Pausieren',
    resumeLabel: 'Fortsetzen',
    pause: (n) => `${count(n, 'Zeitplan wird', 'Zeitpläne werden')} pausiert.`,
    resume: (n) => `${count(n, 'Zeitplan wird', 'Zeitpläne werden')} fortgesetzt.`,
    title: (n) => `${count(n, 'Zeitplan', 'Zeitpläne')} löschen?`,
    text: 'Gelöschte Zeitpläne werden nicht mehr ausgeführt. Bisherige Übertragungen bleiben erhalten.',
    remove: (n) => `${count(n, 'Zeitplan wird', 'Zeitpläne werden')} gelöscht.`,
  },
  images: {
    scans: (n) => `${count(n, 'Scan wurde', 'Scans wurden')} angefordert.`,
    scanTitle: (n) => `${count(n, 'Image', 'Images')} scannen?`,
    scanText: 'So viele Scans beschäftigen den Scanner lange.',
    title: (n) => `${count(n, 'Image', 'Images')} löschen?`,
    text: 'Images werden mit allen ihren Tags für alle gelöscht.',
    remove: (n) => `${count(n, 'Image wird', 'Images werden')} gelöscht.`,
  },
  groups: {
    title: (n) => `${count(n, 'Gruppe', 'Gruppen')} löschen?`,
    text: 'Mitglieder gelöschter Gruppen verlieren sofort deren Berechtigungen. Die Konten bleiben erhalten.',
    remove: (n) => `${count(n, 'Gruppe wird', 'Gruppen werden')} gelöscht.`,
  },
  robots: {
    disable: (n) =>
      `${count(n, 'Robot wird', 'Robots werden')} deaktiviert, und alle zugehörigen Tokens werden widerrufen.`,
    enable: (n) => `${count(n, 'Robot wird', 'Robots werden')} aktiviert.`,
    title: (n) => `${count(n, 'Robot', 'Robots')} löschen?`,
    text: 'Robots werden mit ihren Tokens, Vertrauensregeln und Jobs gelöscht. Pipelines, die sie verwenden, werden sofort abgewiesen.',
    remove: (n) => `${count(n, 'Robot wird', 'Robots werden')} gelöscht.`,
  },
  trusts: {
    disable: (n) => `${count(n, 'Regel wird', 'Regeln werden')} deaktiviert.`,
    enable: (n) => `${count(n, 'Regel wird', 'Regeln werden')} aktiviert.`,
    title: (n) => `${count(n, 'Vertrauensregel', 'Vertrauensregeln')} löschen?`,
    text: 'Pipelines, die sich über eine gelöschte Regel anmelden, werden sofort abgewiesen.',
    remove: (n) => `${count(n, 'Regel wird', 'Regeln werden')} gelöscht.`,
  },
  registries: {
    test: (n) =>
      `${count(n, 'Registry wird', 'Registries werden')} getestet. Die Liste zeigt jedes Ergebnis.`,
    title: (n) => `${count(n, 'Registry', 'Registries')} löschen?`,
    text: 'Registries werden mit Adresse und Zugangsdaten gelöscht. Übertragungen und Zeitpläne, die sie verwenden, schlagen fehl. Images werden nicht gelöscht.',
    remove: (n) => `${count(n, 'Registry wird', 'Registries werden')} gelöscht.`,
  },
  leftOut: (n) =>
    `${count(n, 'ausgewählte Zeile wird', 'ausgewählte Zeilen werden')} ausgelassen: Sie dürfen sie nicht löschen.`,
  nothing: 'Keine der ausgewählten Zeilen lässt sich so ändern.',
};
