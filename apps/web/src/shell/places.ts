/** What the sidebar shows, in its order. `keys`: after `g`, the key that leads there. */
import { IconStack2 } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { words } from '../i18n/words.ts';

export const useNavigationWords = words({
  en: { staging: 'Staging' },
  fr: { staging: 'Zone de transit' },
  de: { staging: 'Prüfbereich' },
});

export interface Place {
  path: string;
  label: keyof ReturnType<typeof useNavigationWords>;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  key?: string;
  adminOnly?: true;
}

export interface Section {
  /** Absent for the work itself. */
  title?: 'settings';
  places: readonly Place[];
}

export const SECTIONS: readonly Section[] = [
  { places: [{ path: '/staging', label: 'staging', icon: IconStack2, key: 's' }] },
];
