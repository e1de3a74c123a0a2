/** Merges the archive and the events not archived yet into one page. Pure. */
import type { AuditEvent } from '@portcullis/events';
import type { AuditPosition } from '@portcullis/store';

export interface MergePart {
  items: readonly AuditEvent[];
  /** How far back this part was searched; null: to its end. */
  reached: AuditPosition | null;
}

export interface Merged {
  items: AuditEvent[];
  /** The position of the next page; null for the last page. */
  next: AuditPosition | null;
}

/** Events older than the position that the other part was searched to belong to a later page. */
export function merge(parts: readonly MergePart[], limit: number): Merged {
  const horizon = parts.map(({ reached }) => reached).reduce(newer, null);
  const events = new Map(parts.flatMap(({ items }) => items).map((event) => [event.id, event]));
  const items = [...events.values()]
    .filter((event) => horizon === null || compare(positionOf(event), horizon) >= 0)
    .sort((a, b) => compare(positionOf(b), positionOf(a)));
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, next: items.length > limit && last ? positionOf(last) : horizon };
}

export function positionOf({ at, id }: AuditEvent): AuditPosition {
  return { at: new Date(at), id };
}

/** Positive if `a` is newer. */
export function compare(a: AuditPosition, b: AuditPosition): number {
  const time = a.at.getTime() - b.at.getTime();
  if (time !== 0) return time;
  if (a.id === b.id) return 0;
  return a.id > b.id ? 1 : -1;
}

function newer(a: AuditPosition | null, b: AuditPosition | null): AuditPosition | null {
  if (a === null || b === null) return a ?? b;
  return compare(a, b) > 0 ? a : b;
}
