import { chooser, counter } from '../../i18n/count.ts';
import type {
  account as accountEn,
  adminOnly as adminOnlyEn,
  contacts as contactsEn,
  folders as foldersEn,
  groups as groupsEn,
  password as passwordEn,
  users as usersEn,
} from '../en/accounts.ts';

const count = counter('de');
const choose = chooser('de');

export const account: typeof accountEn = {
  title: 'Mein Konto',
  lead: 'Ihre Berechtigungen, Ihr Passwort und Ihre Tokens.',
  who: 'Konto',
  username: 'Benutzername',
  groups: 'Gruppen',
  noGroups:
    'Keine. Ein Administrator fügt Konten zu Gruppen hinzu, und Gruppen erhalten Berechtigungen für Ordner.',
  rights: 'Berechtigungen',
  everything: 'Alle Berechtigungen (Administrator)',
  nothing: 'Noch keine Berechtigungen',
  pullExternal: 'Aus anderen Registries pullen',
  push: 'In Ordner pushen, die für Sie freigegeben sind',
  pushExternal: 'In andere Registries pushen',
  bypass: 'Images pushen, die die Richtlinie blockiert',
  password: 'Passwort',
  passwordLead: 'Eine Änderung meldet Sie überall sonst ab.',
  elsewhere: 'Ihr Konto wird vom Identitätsanbieter verwaltet. Ändern Sie das Passwort dort.',
  tokens: 'Persönliche Zugriffstokens',
  tokensLead:
    'Verwenden Sie sie in Programmen anstelle Ihres Passworts. Tokens haben Ihre Berechtigungen und werden mit Ihrem Konto gelöscht.',
  newToken: 'Neues Token',
  emptyTitle: 'Noch keine Tokens',
  emptyText: 'Erstellen Sie ein Token für docker, eine Pipeline oder ein Skript.',
  name: 'Name',
  namePlaceholder: 'Laptop, Build-Server',
  nameHint: 'Hilft Ihnen, das Token später wiederzuerkennen.',
  scope: 'Verwendung',
  scopes: { api: 'REST-API', docker: 'docker, podman, helm' },
  scopeHints: {
    api: 'Als „Authorization: Bearer“ für die REST-API. Wird von docker login nicht akzeptiert.',
    docker: 'Als Passwort für docker login. Wird von der REST-API nicht akzeptiert.',
  },
  expiry: 'Läuft ab in',
  days: (n) => count(n, 'Tag', 'Tagen'),
  until: (date) => `Läuft am ${date} ab`,
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  create: 'Token erstellen',
  madeTitle: 'Kopieren Sie Ihr Token jetzt',
  madeText: 'Es wird nicht noch einmal angezeigt.',
  token: 'Token',
  copyToken: 'Token kopieren',
  loginHint: 'Damit anmelden:',
  apiHint: 'Beispiel:',
  copyCommand: 'Befehl kopieren',
  close: 'Fertig',
  revoke: 'Widerrufen',
  revokeNamed: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText:
    'Programme, die dieses Token verwenden, werden sofort abgewiesen. Das kann nicht rückgängig gemacht werden.',
  revoked: (names) =>
    names.length === 1
      ? `${names[0]} wurde widerrufen.`
      : `${count(names.length, 'Token wurde', 'Tokens wurden')} widerrufen.`,
  revokeSeveral: (n) => `${count(n, 'Token', 'Tokens')} widerrufen?`,
  revokeSeveralText:
    'Programme, die diese Tokens verwenden, werden sofort abgewiesen. Das kann nicht rückgängig gemacht werden.',
};

export const users: typeof usersEn = {
  title: 'Benutzer',
  lead: 'Konten von Personen. Die Berechtigungen für Images ergeben sich aus den Gruppen.',
  newUser: 'Neuer Benutzer',
  search: 'Nach Name oder E-Mail suchen',
  total: (n) => count(n, 'Konto', 'Konten'),
  more: 'Mehr anzeigen',
  noMatch: 'Keine passenden Konten',
  noMatchText: 'Versuchen Sie einen Teil des Namens oder der E-Mail-Adresse.',
  name: 'Benutzername',
  rights: 'Rechte',
  source: 'Anmeldemethode',
  sources: { local: 'Passwort', oidc: 'Identitätsanbieter', robot: 'Robot' },
  lastLogin: 'Letzte Anmeldung',
  never: 'Nie',
  admin: 'Administrator',
  bypass: 'Darf blockierte Images pushen',
  disabled: 'Deaktiviert',
  mustChange: 'Muss Passwort ändern',
  username: 'Benutzername',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  keepPassword:
    'Leer lassen, um das aktuelle zu behalten. Ein neues Passwort beendet alle Sitzungen.',
  generate: 'Generieren',
  generated: 'Generiert. Kopieren Sie es jetzt und geben Sie es sicher weiter.',
  copyPassword: 'Passwort kopieren',
  adminHint: 'Hat alle Berechtigungen, auch für Einstellungen und Konten.',
  bypassHint:
    'Darf Images pushen, die die Scan-Richtlinie blockiert, und die Richtlinie für ein Image lockern.',
  disabledHint: 'Sitzungen werden sofort beendet. Passwörter und Tokens werden abgewiesen.',
  mustChangeHint: 'Bis zur Änderung des Passworts kann das Konto nichts anderes tun.',
  create: 'Konto erstellen',
  created: (name) => `Das Konto ${name} wurde erstellt.`,
  saved: (name) => `${name} wurde gespeichert.`,
  removeTitle: (name) => `${name} löschen?`,
  removeText: 'Damit wird das Konto endgültig gelöscht, zusammen mit:',
  removeList: [
    'seinen Sitzungen und Tokens',
    'den von ihm gespeicherten Registries',
    'seinen Jobs und Zeitplänen; laufende Jobs werden abgebrochen',
  ].join('\n'),
  removeStays: 'Von ihm gepushte Images und seine Audit-Ereignisse bleiben erhalten.',
  removeAction: 'Konto löschen',
  removed: (name) => `${name} wurde gelöscht.`,
  you: 'Sie',
  ownAccount: 'Das ist Ihr eigenes Konto. Achten Sie darauf, sich nicht auszusperren.',
};

export const groups: typeof groupsEn = {
  title: 'Gruppen',
  lead: 'Konten mit denselben Berechtigungen für Ordner.',
  newGroup: 'Neue Gruppe',
  emptyTitle: 'Noch keine Gruppen',
  emptyText:
    'Erstellen Sie für jedes Team eine Gruppe, fügen Sie die Mitglieder hinzu und erteilen Sie ihr Berechtigungen für Ordner.',
  name: 'Name',
  description: 'Beschreibung',
  members: 'Mitglieder',
  memberCount: (n) => count(n, 'Mitglied', 'Mitglieder'),
  noMembers: 'Keine Mitglieder',
  noMembersText: 'Diese Gruppe hat keine Mitglieder.',
  add: 'Mitglied hinzufügen',
  addPlaceholder: 'Konten suchen',
  atOnce: 'Änderungen gelten sofort.',
  removeMember: (name) => `${name} entfernen`,
  create: 'Gruppe erstellen',
  created: (name) => `${name} wurde erstellt. Fügen Sie nun Mitglieder hinzu.`,
  saved: (name) => `${name} wurde gespeichert.`,
  removeTitle: (name) => `Gruppe ${name} löschen?`,
  removeText: (members) =>
    `${count(members, 'Mitglied verliert', 'Mitglieder verlieren')} sofort die Berechtigungen dieser Gruppe. Die Konten bleiben erhalten.`,
  removeAction: 'Gruppe löschen',
  removed: (name) => `${name} wurde gelöscht.`,
};

export const folders: typeof foldersEn = {
  policy: 'Richtlinie',
  policyHint: 'Welche Schwachstellen ein Image in diesem Ordner blockieren.',
  pushGate: 'Pushes mit docker push',
  pushGates: {
    off: {
      name: 'Nicht gescannt',
      effect: 'Was gepusht wird, wird erst bei einem Pull oder auf Anfrage gescannt.',
    },
    report: {
      name: 'Im Hintergrund gescannt',
      effect:
        'Was gepusht wird, wird innerhalb von Sekunden gescannt, und die Bewertung wird angezeigt.',
    },
  },
  immutableTags: 'Unveränderliche Tags',
  immutableTagsHint:
    'Tags, die einem Muster entsprechen, können angelegt, danach aber von niemandem auf ein anderes Image verschoben oder gelöscht werden. Beispiele: v* für alle Tags, die mit v beginnen, * für alle.',
  immutableTagsEffect: 'Gibt es einen solchen Tag, wird er weder verschoben noch gelöscht.',
  noImmutableTags: 'Keine: Tags dürfen verschoben und gelöscht werden.',
  quota: 'Kontingent',
  quotaHint:
    'Wie viel Platz die Images des Ordners zusammen belegen dürfen. Layer, die sich mehrere Images teilen, zählen nur einmal. Pushes, die das Kontingent überschreiten würden, werden abgelehnt.',
  noQuota: 'Kein Kontingent',
  quotaUnit: 'Einheit',
  quotaUnits: { MB: 'MB', GB: 'GB', TB: 'TB' },
  pullGate: 'Auslieferung',
  pullGates: {
    off: {
      name: 'Immer ausgeliefert',
      effect: 'Die Richtlinie entscheidet nur über Pushes aus dem Staging-Bereich.',
    },
    report: {
      name: 'Ausgeliefert und protokolliert',
      effect: 'Jeder Pull eines blockierten Images steht im Audit-Protokoll.',
    },
    enforce: {
      name: 'Verweigert, wenn blockiert',
      effect:
        'Ein blockiertes Image wird nicht ausgeliefert; ein noch nicht gescanntes wartet auf seinen Scan.',
    },
  },
  pullNotes: {
    report: 'Blockierte Pulls werden protokolliert',
    enforce: 'Blockierte Pulls werden verweigert',
  },
  policyNote: (name) => `Richtlinie: ${name}`,
  title: 'Ordner und Berechtigungen',
  lead: 'Ein Ordner ist der erste Teil eines Repository-Namens. Gruppen erhalten Berechtigungen für Ordner.',
  newFolder: 'Neuer Ordner',
  folder: 'Ordner',
  group: 'Gruppe',
  rootName: 'Kein Ordner',
  root: 'Repositories ohne Ordner',
  noFoldersTitle: 'Noch keine Ordner',
  noFolders:
    'Erstellen Sie für jedes Team oder Produkt einen Ordner und erteilen Sie Gruppen Berechtigungen dafür.',
  noGroupsTitle: 'Noch keine Gruppen',
  noGroups:
    'Berechtigungen werden Gruppen erteilt. Erstellen Sie zuerst eine Gruppe und fügen Sie Mitglieder hinzu.',
  toGroups: 'Zu den Gruppen',
  filterFolders: 'Ordner filtern',
  noMatch: 'Keine passenden Ordner.',
  filterGroups: 'Gruppen filtern',
  noGroupMatch: 'Keine passenden Gruppen.',
  rights: {
    can_pull: 'Pullen',
    can_push: 'Pushen',
    can_pull_external: 'Aus anderen Registries pullen',
    can_push_external: 'In andere Registries pushen',
  },
  rightHints: {
    can_pull: 'Images dieses Ordners ansehen und pullen',
    can_push: 'Images dieses Ordners pushen, taggen und löschen',
    can_pull_external: 'Images aus anderen Registries pullen; ein beliebiger Ordner genügt',
    can_push_external: 'Images in andere Registries pushen; ein beliebiger Ordner genügt',
  },
  keys: 'Mit den Pfeiltasten bewegen, mit der Leertaste eine Berechtigung ändern.',
  cell: (folder, group, right) => `${folder}, ${group}: ${right}`,
  matrix: 'Berechtigungen der Gruppen für Ordner',
  changes: (n) => `${count(n, 'nicht gespeicherte Änderung', 'nicht gespeicherte Änderungen')}`,
  saved: 'Die Berechtigungen wurden gespeichert.',
  newTitle: 'Neuer Ordner',
  name: 'Name',
  nameHint:
    'Kleinbuchstaben und Ziffern, getrennt durch . _ oder -. Repository-Namen in diesem Ordner beginnen damit.',
  newEffect:
    'Vorhandene Repositories, deren Name damit beginnt, gehören dann zum Ordner. Nur Administratoren haben Zugriff, bis Sie Berechtigungen erteilen.',
  description: 'Beschreibung',
  create: 'Ordner erstellen',
  created: (name) => `${name} wurde erstellt. Erteilen Sie nun Berechtigungen dafür.`,
  savedFolder: (name) => `${name} wurde gespeichert.`,
  edit: (name) => `${name} bearbeiten`,
  removeTitle: (name) => `Ordner ${name} löschen?`,
  removeText: 'Die Berechtigungen dafür werden gelöscht. Images werden nicht gelöscht.',
  force:
    'Löschen, obwohl er Repositories enthält. Für sie gelten dann die Berechtigungen ohne Ordner.',
  removeAction: 'Ordner löschen',
  removed: (name) => `${name} wurde gelöscht.`,
  explain: 'Berechtigungen prüfen',
  explainLead: 'Zeigt, ob eine Anfrage erlaubt wäre, und warum.',
  person: 'Konto',
  personPlaceholder: 'Konten suchen',
  action: 'Aktion',
  actions: {
    pull: 'pullen',
    push: 'pushen',
    pull_external: 'aus anderen Registries pullen',
    push_external: 'in andere Registries pushen',
  },
  repository: 'Repository',
  repositoryPlaceholder: 'team/app',
  yes: {
    pull: (who, repository) => `Ja, ${who} darf ${repository} pullen.`,
    push: (who, repository) => `Ja, ${who} darf ${repository} pushen.`,
    pull_external: (who) => `Ja, ${who} darf aus anderen Registries pullen.`,
    push_external: (who) => `Ja, ${who} darf in andere Registries pushen.`,
  },
  no: {
    pull: (who, repository) => `Nein, ${who} darf ${repository} nicht pullen.`,
    push: (who, repository) => `Nein, ${who} darf ${repository} nicht pushen.`,
    pull_external: (who) => `Nein, ${who} darf nicht aus anderen Registries pullen.`,
    push_external: (who) => `Nein, ${who} darf nicht in andere Registries pushen.`,
  },
  becauseAdmin: 'Administratoren haben alle Berechtigungen.',
  governs: (folder) => `Es gelten die Berechtigungen des Ordners ${folder}.`,
  governsRoot: 'Das Repository liegt in keinem Ordner: Es gelten die Berechtigungen ohne Ordner.',
  grants: 'Erteilt durch:',
  others: 'Berechtigungen der Gruppen dieses Kontos, von denen keine dies erlaubt:',
  noGrants: 'Keine Gruppe dieses Kontos hat hier Berechtigungen.',
  grantLine: (group, rights, folder) => `${group} (${folder}): ${rights}`,
  nothingGranted: 'keine Berechtigung',
  ask: 'Wählen Sie ein Konto aus und geben Sie ein Repository ein.',
};

export const adminOnly: typeof adminOnlyEn = {
  title: 'Nur für Administratoren',
  text: 'Diese Seite ändert, was alle Konten dürfen. Wenden Sie sich an einen Administrator, wenn Sie eine Änderung brauchen.',
};

export const password: typeof passwordEn = {
  title: 'Passwort ändern',
  forced: 'Wählen Sie ein eigenes Passwort, um fortzufahren.',
  current: 'Aktuelles Passwort',
  wanted: 'Neues Passwort',
  hint: 'Mindestens 12 Zeichen. Ein Satz eignet sich gut.',
  again: 'Neues Passwort wiederholen',
  differ: 'Die Passwörter stimmen nicht überein.',
  short: (missing) => `Es ${choose(missing, 'fehlt', 'fehlen')} noch ${count(missing, 'Zeichen')}.`,
  submit: 'Passwort ändern',
  done: 'Ihr Passwort wurde geändert.',
  signOut: 'Abmelden',
};

export const contacts: typeof contactsEn = {
  administrators: (names) => `Administratoren: ${names}.`,
  reviewers: (names) => `Ausnahmen genehmigen dürfen: ${names}.`,
  noReviewers: 'Noch kann kein anderes Konto Ausnahmen genehmigen.',
  andMore: (names, more) => `${names} und ${count(more, 'weiteres Konto', 'weitere Konten')}`,
};
