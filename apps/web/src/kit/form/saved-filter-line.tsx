/** The saved filters of a list, whose code is loaded where there is a filter. */
import { useAccount } from '../../session/account.ts';
import { loadedPart } from '../loaded-part.tsx';
import type { SavedFilterChipsProps } from './saved-filter-chips.tsx';
import { savedKey } from './saved-list.ts';

const Chips = loadedPart(async () => ({
  default: (await import('./saved-filter-chips.tsx')).SavedFilterChips,
}));

export function SavedFilterLine({ list, query }: SavedFilterChipsProps) {
  const key = savedKey(list, useAccount().id);
  if (query === '' && localStorage.getItem(key) === null) return null;
  return <Chips list={list} query={query} />;
}
