/**
 * Acts that wait for their undo, and the rows that they will remove. The list hides such rows; they
 * come back where the act is undone or fails.
 */
import { useSyncExternalStore } from 'react';

interface PendingAct {
  hides: readonly string[];
  /** Carries it out now. */
  finish(): Promise<void>;
}

const acts = new Set<PendingAct>();
const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

function change(): void {
  hidden = new Set([...acts].flatMap(({ hides }) => hides));
  for (const listener of listeners) listener();
}

/** The returned function ends it. */
export function addPendingAct(act: PendingAct): () => void {
  acts.add(act);
  change();
  return () => {
    acts.delete(act);
    change();
  };
}

/** Before the session ends. */
export async function finishPendingActs(): Promise<void> {
  await Promise.all([...acts].map(({ finish }) => finish()));
}

export function useHiddenRows(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );
}
