/** The icon of each kind of entry. */
import {
  IconBolt,
  IconBug,
  IconFolder,
  IconPackage,
  IconStack2,
  IconUser,
} from '@tabler/icons-react';
import type { EntryKind, PaletteEntry } from './entry.ts';

export const KIND_ICONS: Record<EntryKind, PaletteEntry['icon']> = {
  action: IconBolt,
  image: IconPackage,
  job: IconStack2,
  vulnerability: IconBug,
  folder: IconFolder,
  person: IconUser,
};
