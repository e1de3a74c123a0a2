/** The order of the palette: what was used last, then actions, then what the server found. */
import type { EntryGroup, PaletteEntry } from './entry.ts';
import { KINDS } from './entry.ts';
import { matches } from './match.ts';

interface Offered {
  typed: string;
  recent: readonly PaletteEntry[];
  actions: readonly PaletteEntry[];
  found: readonly PaletteEntry[];
}

const MOST_RECENT = 5;
const MOST_ACTIONS = 6;

/**
 * Each entry is offered once, those whose label fits first. Without a typed text, all actions are.
 */
export function groupsOf({ typed, recent, actions, found }: Offered): EntryGroup[] {
  const fits = ({ label, note = '', synonyms = '' }: PaletteEntry) =>
    matches(`${label} ${note} ${synonyms}`, typed);
  const isCalled = ({ label }: PaletteEntry) => matches(label, typed);
  const fitting = actions.filter(fits);
  const ranked = [...fitting.filter(isCalled), ...fitting.filter((each) => !isCalled(each))];
  const used = recent.filter(fits).slice(0, MOST_RECENT);
  const others = [...ranked.slice(0, typed === '' ? undefined : MOST_ACTIONS), ...found].filter(
    ({ id }) => !used.some((each) => each.id === id),
  );
  const kinds = KINDS.map((kind) => ({
    name: kind,
    entries: others.filter((entry) => entry.kind === kind),
  }));
  return [{ name: 'recent' as const, entries: used }, ...kinds].filter(
    ({ entries }) => entries.length > 0,
  );
}
