/** An entry of the command palette. */
import type { ComponentType } from 'react';

export const KINDS = ['action', 'image', 'job', 'vulnerability', 'folder', 'person'] as const;
export type EntryKind = (typeof KINDS)[number];

export interface PaletteEntry {
  /** The same each time the entry is offered. */
  id: string;
  kind: EntryKind;
  label: string;
  note?: string;
  /** Further words that find it; they are not shown. */
  synonyms?: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** The page that it leads to; absent where `run` does something else. */
  path?: string;
  run?(): void;
}

export interface EntryGroup {
  name: 'recent' | EntryKind;
  entries: PaletteEntry[];
}
