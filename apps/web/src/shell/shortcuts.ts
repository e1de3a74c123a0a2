/**
 * Keyboard shortcuts. They are inactive in text fields and while a dialog is open; those with Ctrl
 * work in text fields.
 */
import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

export interface Shortcut {
  /** One key, or two after one another: `g s`. `Ctrl+k` is also ⌘ and the key on a Mac. */
  keys: string;
  label: string;
}

interface Registered extends Shortcut {
  run(event: KeyboardEvent): void;
}

const registered = new Set<Registered>();
const SEQUENCE_MS = 1200;

/** The active shortcuts, for the help. */
export const activeShortcuts = (): readonly Shortcut[] => [...registered];

export function useShortcut(keys: string, label: string, run: Registered['run']): void {
  const latest = useEffectEvent(run);
  // As soon as what it acts on is shown: no key is lost.
  useLayoutEffect(() => {
    const shortcut = { keys, label, run: (event: KeyboardEvent) => latest(event) };
    registered.add(shortcut);
    return () => void registered.delete(shortcut);
  }, [keys, label]);
}

/** Listens for all shortcuts; called once, by the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    function hear(event: KeyboardEvent): void {
      if (event.altKey || isDialogOpen()) return;
      if (event.ctrlKey || event.metaKey) {
        act(event, find(`Ctrl+${event.key.toLowerCase()}`));
        return;
      }
      if (isTyping(event.target)) return;
      const started = first !== null && event.timeStamp - first.at < SEQUENCE_MS ? first.key : null;
      const hit = find(started === null ? event.key : `${started} ${event.key}`) ?? find(event.key);
      first = { key: event.key, at: event.timeStamp };
      if (hit) first = null;
      act(event, hit);
    }
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

function find(keys: string): Registered | undefined {
  return [...registered].find((each) => each.keys === keys);
}

function act(event: KeyboardEvent, hit: Registered | undefined): void {
  if (!hit) return;
  event.preventDefault();
  hit.run(event);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}

/** A box takes no letters: the space bar ticks it, and arrows choose among several. */
const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null;
}

/** A shortcut as the keyboard of this machine has it. */
export function shownKeys(keys: string): string[] {
  const control = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl ';
  return keys
    .split(' ')
    .map((key) =>
      key.replace(/^Ctrl\+(.)$/, (_, letter: string) => control + letter.toUpperCase()),
    );
}
