/** A form's unsaved state, which a reload of the page restores. Leaving the page asks first. */
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useAccount } from '../../session/account.ts';
import { useUnsaved } from './unsaved.ts';

interface KeptDraft<T> {
  value: T;
  set: Dispatch<SetStateAction<T>>;
  /** Call after the form was sent, before the navigation. */
  sent(): void;
}

/**
 * @param first the state of the form without a draft
 * @param restore makes a form of what an earlier page stored, which may be of another release
 */
export function useKeptDraft<T extends object>(
  first: T,
  restore: (stored: unknown, first: T) => T,
): KeptDraft<T> {
  const { id: account } = useAccount();
  const location = useLocation();
  const [key] = useState(`draft ${account} ${addressOf(location)}`);
  const [begun] = useState(first);
  const [value, set] = useState(() => read(key, begun, restore));
  const text = JSON.stringify(value);
  const dirty = text !== JSON.stringify(begun);
  const release = useUnsaved(dirty);
  useEffect(() => {
    if (dirty) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  }, [key, text, dirty]);
  // Only a reload skips this.
  useEffect(() => () => sessionStorage.removeItem(key), [key]);
  return { value, set, sent: release };
}

/** Without the order of a table on the page, which may change before the reload. */
function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  query.delete('sort');
  return `${pathname}?${query}`;
}

function read<T>(key: string, first: T, restore: (stored: unknown, first: T) => T): T {
  if (!wasReloaded()) return first;
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? first : restore(JSON.parse(text), first);
  } catch {
    return first;
  }
}

/** A page that is opened by its address has an empty form. */
function wasReloaded(): boolean {
  const [opened] = performance.getEntriesByType('navigation');
  return opened instanceof PerformanceNavigationTiming && opened.type !== 'navigate';
}
