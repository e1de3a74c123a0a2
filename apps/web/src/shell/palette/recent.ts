/** The entries of the command palette that an account used last, kept in the browser. */
import { type EntryKind, KINDS, type PaletteEntry } from './entry.ts';

/** What is kept of an entry; its icon follows from its kind. */
export type RecentEntry = Pick<PaletteEntry, 'id' | 'kind' | 'label' | 'note' | 'path'>;

const MOST_KEPT = 20;
const KEY = 'portcullis.recent';

/** The entry is the first now. */
export function withUsed(recent: readonly RecentEntry[], used: RecentEntry): RecentEntry[] {
  const { id, kind, label, note, path } = used;
  const kept = {
    ...{ id, kind, label },
    ...(note !== undefined && { note }),
    ...(path !== undefined && { path }),
  };
  return [kept, ...recent.filter((each) => each.id !== id)].slice(0, MOST_KEPT);
}

/** Text of another release, or of another program, is left out. */
export function parseRecent(text: string | null): RecentEntry[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

function isRecent(entry: unknown): entry is RecentEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, kind, label, note, path }: Partial<Record<string, unknown>> = { ...entry };
  return (
    typeof id === 'string' &&
    typeof label === 'string' &&
    isKind(kind) &&
    isOptionalText(note) &&
    // Never an address of another site.
    (path === undefined || (typeof path === 'string' && /^\/(?!\/)/.test(path)))
  );
}

function isKind(kind: unknown): kind is EntryKind {
  return KINDS.some((each) => each === kind);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

export function readRecent(accountId: string): RecentEntry[] {
  return parseRecent(localStorage.getItem(`${KEY} ${accountId}`));
}

export function keepUsed(accountId: string, used: RecentEntry): void {
  const recent = withUsed(readRecent(accountId), used);
  localStorage.setItem(`${KEY} ${accountId}`, JSON.stringify(recent));
}

export function forgetRecent(accountId: string): void {
  localStorage.removeItem(`${KEY} ${accountId}`);
}
