/** The sidebar's items in their order. `key`: the shortcut is `g`, then this key. */

import {
  IconArrowsTransferUp,
  IconBarrierBlock,
  IconBug,
  IconBuildingWarehouse,
  IconFolder,
  IconFolderCog,
  IconGauge,
  IconHistory,
  IconKey,
  IconListCheck,
  IconNetwork,
  IconPackages,
  IconRobot,
  IconServer2,
  IconShieldSearch,
  IconStack2,
  IconUser,
  IconUserCircle,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Messages } from '../i18n/messages.ts';

const adminOnly = true;

export interface NavigationItem {
  path: string;
  label: keyof Messages['navigation'];
  icon: ComponentType<{ size?: number; stroke?: number }>;
  key?: string;
  adminOnly?: true;
  /** What its count is of; absent: it has none. */
  counted?: 'reviews';
}

export interface Section {
  /** Absent for the first section. */
  title?: 'settings' | 'operation';
  items: readonly NavigationItem[];
}

export const NAVIGATION: readonly Section[] = [
  {
    items: [
      { path: '/dashboard', label: 'dashboard', icon: IconGauge, key: 'd' },
      { path: '/staging', label: 'staging', icon: IconStack2, key: 's' },
      { path: '/folders', label: 'folderList', icon: IconFolder, key: 'f' },
      { path: '/images', label: 'images', icon: IconPackages, key: 'i' },
      { path: '/vulnerabilities', label: 'vulnerabilities', icon: IconBug, key: 'v' },
      { path: '/reviews', label: 'reviews', icon: IconBarrierBlock, key: 'w', counted: 'reviews' },
      { path: '/transfers', label: 'transfers', icon: IconArrowsTransferUp, key: 't' },
      { path: '/registries', label: 'registries', icon: IconBuildingWarehouse, key: 'e' },
    ],
  },
  {
    title: 'settings',
    items: [
      { path: '/settings/account', label: 'account', icon: IconUserCircle, key: 'a' },
      { path: '/settings/users', label: 'users', icon: IconUser, key: 'u', adminOnly },
      { path: '/settings/groups', label: 'groups', icon: IconUsersGroup, key: 'r', adminOnly },
      { path: '/settings/robots', label: 'robots', icon: IconRobot, key: 'k' },
      { path: '/settings/folders', label: 'folders', icon: IconFolderCog, key: 'm', adminOnly },
      { path: '/settings/scan', label: 'scan', icon: IconShieldSearch, key: 'p', adminOnly },
      {
        path: '/settings/policies',
        label: 'policies',
        icon: IconListCheck,
        key: 'b',
        adminOnly,
      },
      { path: '/settings/sign-on', label: 'signOn', icon: IconKey, key: 'o', adminOnly },
      { path: '/settings/network', label: 'network', icon: IconNetwork, key: 'n', adminOnly },
      { path: '/settings/webhooks', label: 'webhooks', icon: IconWebhook, key: 'h', adminOnly },
    ],
  },
  {
    title: 'operation',
    items: [
      { path: '/audit', label: 'audit', icon: IconHistory, key: 'l', adminOnly },
      { path: '/system', label: 'system', icon: IconServer2, key: 'y', adminOnly },
    ],
  },
];
