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
