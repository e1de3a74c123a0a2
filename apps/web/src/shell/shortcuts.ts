/** Keyboard shortcuts. They are inactive in text fields and while a dialog is open. */
import { useEffect, useEffectEvent } from 'react';

export interface Shortcut {
  /** One key, or two after one another: `g s`. */
  keys: string;
  label: string;
}

interface Registered extends Shortcut {
  run(): void;
}

const registered = new Set<Registered>();
const SEQUENCE_MS = 1200;

/** The active shortcuts, for the help. */
export const activeShortcuts = (): readonly Shortcut[] => [...registered];

export function useShortcut(keys: string, label: string, run: () => void): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    const shortcut = { keys, label, run: () => latest() };
    registered.add(shortcut);
    return () => void registered.delete(shortcut);
  }, [keys, label]);
}

/** Listens for all shortcuts; called once, by the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    function hear(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const started = first !== null && event.timeStamp - first.at < SEQUENCE_MS ? first.key : null;
      const hit = find(started === null ? event.key : `${started} ${event.key}`) ?? find(event.key);
      first = { key: event.key, at: event.timeStamp };
      if (!hit) return;
      event.preventDefault();
      first = null;
      hit.run();
    }
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

function find(keys: string): Registered | undefined {
  return [...registered].find((each) => each.keys === keys);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}
