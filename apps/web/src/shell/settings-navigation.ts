/** The places of settings and operation. */
import {
  IconBarrierBlock,
  IconFolderCog,
  IconHistory,
  IconKey,
  IconNetwork,
  IconServer2,
  IconUser,
  IconUserCircle,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { Section } from './navigation-items.ts';

export const SETTINGS_LABELS = {
  en: {
    account: 'My account',
    users: 'Users',
    groups: 'Groups',
    folders: 'Folders & rights',
    scan: 'Scan policy',
    signOn: 'Single sign-on',
    network: 'Network',
    audit: 'Audit log',
    system: 'System',
  },
  fr: {
    account: 'Mon compte',
    users: 'Utilisateurs',
    groups: 'Groupes',
    folders: 'Dossiers et droits',
    scan: 'Politique d’analyse',
    signOn: 'Authentification unique',
    network: 'Réseau',
    audit: 'Journal d’audit',
    system: 'Système',
  },
  de: {
    account: 'Mein Konto',
    users: 'Benutzer',
    groups: 'Gruppen',
    folders: 'Ordner und Rechte',
    scan: 'Prüfrichtlinie',
    signOn: 'Einmalanmeldung',
    network: 'Netz',
    audit: 'Audit-Protokoll',
    system: 'System',
  },
} satisfies Record<string, Record<string, string>>;

const adminOnly = true;

export const SETTINGS_SECTIONS: readonly Section[] = [
  {
    title: 'settings',
    places: [
      { path: '/settings/account', label: 'account', icon: IconUserCircle, key: 'a' },
      { path: '/settings/users', label: 'users', icon: IconUser, key: 'u', adminOnly },
      { path: '/settings/groups', label: 'groups', icon: IconUsersGroup, key: 'r', adminOnly },
      { path: '/settings/folders', label: 'folders', icon: IconFolderCog, key: 'f', adminOnly },
      { path: '/settings/scan', label: 'scan', icon: IconBarrierBlock, key: 'p', adminOnly },
      { path: '/settings/sign-on', label: 'signOn', icon: IconKey, key: 'o', adminOnly },
      { path: '/settings/network', label: 'network', icon: IconNetwork, key: 'n', adminOnly },
    ],
  },
  {
    title: 'operation',
    places: [
      { path: '/audit', label: 'audit', icon: IconHistory, key: 'l', adminOnly },
      { path: '/system', label: 'system', icon: IconServer2, key: 'y', adminOnly },
    ],
  },
];
