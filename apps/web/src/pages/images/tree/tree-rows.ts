/** The visible rows of the tree and its keyboard navigation (WAI-ARIA, Tree View pattern). */
import type { ImageTreeNode } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';

export interface KnownLevel {
  items: ImageTreeNode[];
  /** Undefined until the first page is loaded. */
  total: number | undefined;
  error: Error | null;
}

/** By path; the folders have the empty path. */
export type KnownLevels = ReadonlyMap<string, KnownLevel>;

interface Placed {
  /** Unique, unlike the path: a repository may have the name of a folder. */
  id: string;
  /** The path of its level. */
  within: string;
  parent: string | null;
  /** From 1. */
  level: number;
}

export interface NodeRow extends Placed {
  kind: 'node';
  node: ImageTreeNode;
  /** Null without children. */
  open: boolean | null;
  position: number;
  siblings: number;
}

/** The rest of a level that is loading or failed to load. */
export type RestRow = Placed & ({ kind: 'waiting' } | { kind: 'failed'; error: Error });

export type TreeRow = NodeRow | RestRow;

export const TOP = '';

export function rowsOf(levels: KnownLevels, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  addLevel({ within: TOP, parent: null, level: 1 });
  return rows;

  function addLevel(place: Omit<Placed, 'id'>): void {
    const { items, total, error } = levels.get(place.within) ?? UNKNOWN;
    for (const [index, node] of items.entries()) {
      const id = place.within === ROOT_FOLDER ? `${ROOT_FOLDER}/${node.name}` : node.path;
      const expanded = node.repositories === 0 ? null : open.has(node.path);
      const siblings = total ?? items.length;
      rows.push({
        ...place,
        kind: 'node',
        id,
        node,
        open: expanded,
        position: index + 1,
        siblings,
      });
      if (expanded) addLevel({ within: node.path, parent: id, level: place.level + 1 });
    }
    const rest = { ...place, id: `${place.parent ?? ''}#rest` };
    if (error) rows.push({ ...rest, kind: 'failed', error });
    else if (total === undefined || items.length < total) rows.push({ ...rest, kind: 'waiting' });
  }
}

const UNKNOWN: KnownLevel = { items: [], total: undefined, error: null };

/** The effect of a key: focus a row, expand or collapse a path, or activate a row. */
export type TreeStep = { go: string } | { toggle: string } | { use: string } | null;

/** Null for other keys. Loading rows are skipped. */
export function stepOf(key: string, rows: readonly TreeRow[], at: string | undefined): TreeStep {
  const stops = rows.filter(({ kind }) => kind !== 'waiting');
  const index = stops.findIndex(({ id }) => id === at);
  const row = stops[index];
  if (!row) return null;
  return STEPS[key]?.({ stops, index, row }) ?? null;
}

interface FocusedRow {
  stops: readonly TreeRow[];
  index: number;
  row: TreeRow;
}

const STEPS: Record<string, (focused: FocusedRow) => TreeStep> = {
  ArrowDown: ({ stops, index }) => goTo(stops[index + 1]),
  ArrowUp: ({ stops, index }) => goTo(stops[index - 1]),
  Home: ({ stops }) => goTo(stops[0]),
  End: ({ stops }) => goTo(stops.at(-1)),
  ArrowRight({ stops, index, row }) {
    if (row.kind !== 'node' || row.open === null) return null;
    return row.open ? goTo(stops[index + 1]) : { toggle: row.node.path };
  },
  ArrowLeft({ stops, row }) {
    if (row.kind === 'node' && row.open) return { toggle: row.node.path };
    return goTo(stops.find(({ id }) => id === row.parent));
  },
  Enter: ({ row }) => ({ use: row.id }),
  ' ': ({ row }) =>
    row.kind === 'node' && row.open !== null ? { toggle: row.node.path } : { use: row.id },
};

function goTo(row: TreeRow | undefined): TreeStep {
  return row ? { go: row.id } : null;
}

/** The next row with the prefix; a repeated single letter goes to the following match. */
export function rowTyped(
  typed: string,
  rows: readonly TreeRow[],
  at: string | undefined,
): TreeStep {
  const index = rows.findIndex(({ id }) => id === at);
  const from = typed.length === 1 ? index + 1 : Math.max(index, 0);
  const around = [...rows.slice(from), ...rows.slice(0, from)];
  const wanted = typed.toLowerCase();
  return goTo(around.find((row) => row.kind === 'node' && row.node.name.startsWith(wanted)));
}
