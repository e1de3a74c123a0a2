/** The sidebar's entries in their order, and the pages of each, which are tabs above the page. */

import {
  IconBarrierBlock,
  IconBug,
  IconGauge,
  IconHistory,
  IconListCheck,
  IconPackageImport,
  IconPackages,
  IconPlugConnected,
  IconServer2,
  IconUserCircle,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Messages } from '../i18n/messages.ts';

/** Each page has further words by which the palette finds it. */
type PlaceName = keyof Messages['navigation'] & keyof Messages['synonyms'];

export interface NavigationPlace {
  path: string;
  label: PlaceName;
  /** The shortcut is `g`, then this key. */
  key: string;
  /** Absent: all accounts have it. */
  only?: 'administrators' | 'others';
  /** It is opened from the first page, not by a tab. */
  below?: true;
  /** What its page begins by `NewButton`, as an act of the palette. */
  creates?: keyof Messages['palette']['creates'];
  /** Further addresses that show the same list. */
  also?: RegExp;
}

export interface NavigationItem {
  label: keyof Messages['navigation'];
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** The first one is where the entry leads. */
  places: readonly NavigationPlace[];
  /** What its count is of; absent: it has none. */
  counted?: 'reviews';
}

export interface Section {
  /** `account`: in the menu of the account, not in the sidebar. */
  name: 'work' | 'administration' | 'account';
  items: readonly NavigationItem[];
}

const only = 'administrators';

export const NAVIGATION: readonly Section[] = [
  {
    name: 'work',
    items: [
      {
        label: 'dashboard',
        icon: IconGauge,
        places: [{ path: '/dashboard', label: 'dashboard', key: 'd' }],
      },
      {
        label: 'reviews',
        icon: IconBarrierBlock,
        counted: 'reviews',
        places: [
          { path: '/reviews', label: 'requests', key: 'w' },
          { path: '/waivers', label: 'waivers', key: 'x' },
        ],
      },
      {
        label: 'incoming',
        icon: IconPackageImport,
        places: [
          { path: '/staging', label: 'staging', key: 's' },
          { path: '/transfers', label: 'transfers', key: 't' },
          { path: '/transfers/schedules', label: 'schedules', key: 'c' },
          { path: '/registries', label: 'registries', key: 'e', creates: 'registries' },
        ],
      },
      {
        label: 'images',
        icon: IconPackages,
        places: [
          { path: '/folders', label: 'folderList', key: 'f' },
          { path: '/images', label: 'repositories', key: 'i', also: /^\/images\/[^/]+$/ },
        ],
      },
      {
        label: 'vulnerabilities',
        icon: IconBug,
        places: [{ path: '/vulnerabilities', label: 'vulnerabilities', key: 'v' }],
      },
    ],
  },
  {
    name: 'administration',
    items: [
      {
        label: 'policies',
        icon: IconListCheck,
        places: [
          { path: '/settings/policies', label: 'policies', key: 'b', only, creates: 'policies' },
          {
            path: '/settings/authorities',
            label: 'authorities',
            key: 'z',
            only,
            creates: 'authorities',
          },
          { path: '/settings/scan', label: 'scan', key: 'p', only, below: true },
        ],
      },
      {
        label: 'access',
        icon: IconUsersGroup,
        places: [
          { path: '/settings/users', label: 'users', key: 'u', only, creates: 'users' },
          { path: '/settings/groups', label: 'groups', key: 'r', only, creates: 'groups' },
          { path: '/settings/robots', label: 'robots', key: 'k', only, creates: 'robots' },
          { path: '/settings/folders', label: 'folders', key: 'm', only, creates: 'folders' },
          { path: '/settings/sign-on', label: 'signOn', key: 'o', only },
        ],
      },
      {
        label: 'integrations',
        icon: IconPlugConnected,
        places: [
          { path: '/settings/webhooks', label: 'webhooks', key: 'h', only, creates: 'webhooks' },
          { path: '/settings/clusters', label: 'clusters', key: 'j', only, creates: 'clusters' },
          { path: '/settings/network', label: 'network', key: 'n', only },
        ],
      },
      {
        label: 'audit',
        icon: IconHistory,
        places: [{ path: '/audit', label: 'audit', key: 'l', only }],
      },
      {
        label: 'system',
        icon: IconServer2,
        places: [{ path: '/system', label: 'system', key: 'y', only }],
      },
    ],
  },
  {
    name: 'account',
    items: [
      {
        label: 'account',
        icon: IconUserCircle,
        places: [
          { path: '/settings/account', label: 'account', key: 'a', creates: 'account' },
          { path: '/settings/robots', label: 'robots', key: 'k', only: 'others' },
        ],
      },
    ],
  },
];
