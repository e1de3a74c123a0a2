/** What the sidebar shows, in its order. `keys`: after `g`, the key that leads there. */

import {
  IconArrowsTransferUp,
  IconBuildingWarehouse,
  IconGauge,
  IconPackages,
  IconStack2,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Messages } from '../i18n/messages.ts';
import { SETTINGS_SECTIONS } from './settings-navigation.ts';

export interface NavigationItem {
  path: string;
  label: keyof Messages['navigation'];
  icon: ComponentType<{ size?: number; stroke?: number }>;
  key?: string;
  adminOnly?: true;
}

export interface Section {
  /** Absent for the work itself. */
  title?: 'settings' | 'operation';
  places: readonly NavigationItem[];
}

export const NAVIGATION: readonly Section[] = [
  {
    places: [
      { path: '/dashboard', label: 'dashboard', icon: IconGauge, key: 'd' },
      { path: '/staging', label: 'staging', icon: IconStack2, key: 's' },
      { path: '/images', label: 'images', icon: IconPackages, key: 'i' },
      { path: '/transfers', label: 'transfers', icon: IconArrowsTransferUp, key: 't' },
      { path: '/registries', label: 'registries', icon: IconBuildingWarehouse, key: 'e' },
    ],
  },
  ...SETTINGS_SECTIONS,
];
