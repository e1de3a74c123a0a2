/** The tree as the lines it is shown in, and what a key does in it (WAI-ARIA § Tree View). */
import type { ImageTreeNode } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';

/** What is known of what lies below a path. */
export interface KnownLevel {
  items: ImageTreeNode[];
  /** Undefined until the first page is there. */
  total: number | undefined;
  error: Error | null;
}

/** By path; of the folders: the empty one. */
export type KnownLevels = ReadonlyMap<string, KnownLevel>;

interface Placed {
  /** Unlike a path it is nobody else's: a repository may be called as a folder is. */
  id: string;
  /** The path of the level it stands in. */
  within: string;
  parent: string | null;
  /** From 1. */
  level: number;
}

export interface NodeRow extends Placed {
  kind: 'node';
  node: ImageTreeNode;
  /** Null where nothing is below. */
  open: boolean | null;
  position: number;
  siblings: number;
}

/** The rest of a level that isn't there yet, or can't be had. */
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

/** What a key asks for: to go to a row, to open or close what is below a path, or what a click on the row does. */
export type TreeStep = { go: string } | { toggle: string } | { use: string } | null;

/** Null for a key that means nothing here. What is only waited for is passed over. */
export function stepOf(key: string, rows: readonly TreeRow[], at: string | undefined): TreeStep {
  const stops = rows.filter(({ kind }) => kind !== 'waiting');
  const index = stops.findIndex(({ id }) => id === at);
  const row = stops[index];
  if (!row) return null;
  return STEPS[key]?.({ stops, index, row }) ?? null;
}

interface Standing {
  stops: readonly TreeRow[];
  index: number;
  row: TreeRow;
}

const STEPS: Record<string, (standing: Standing) => TreeStep> = {
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

/** The next row that begins so; a single letter, typed again, goes on to the one after. */
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
