/** Unsaved changes on top of stored settings; a refetch does not overwrite them. */
import { useState } from 'react';

export interface Draft<T extends object> {
  value: T;
  /** Only the values that differ from the stored ones. */
  changes: Partial<T>;
  dirty: boolean;
  set(change: Partial<T>): void;
  discard(): void;
}

export function useDraft<T extends object>(stored: T): Draft<T> {
  const [typed, setTyped] = useState<Partial<T>>({});
  const changes = changesOf(stored, typed);
  return {
    value: { ...stored, ...typed },
    changes,
    dirty: Object.keys(changes).length > 0,
    set: (change) => setTyped((before) => ({ ...before, ...change })),
    discard: () => setTyped({}),
  };
}

export function changesOf<T extends object>(stored: T, typed: Partial<T>): Partial<T> {
  const before = new Map(Object.entries(stored));
  const differing = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  // A subset of `typed`; the compiler cannot infer this through `fromEntries`.
  return Object.fromEntries(differing) as Partial<T>;
}

/** An empty field means null. */
export function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}
