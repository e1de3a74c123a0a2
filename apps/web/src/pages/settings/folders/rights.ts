/** The matrix as data: what is granted, what was switched and isn't saved yet. */
import type { Folder } from '@portcullis/contract';

export const RIGHTS = ['can_pull', 'can_push', 'can_pull_external', 'can_push_external'] as const;
export type Right = (typeof RIGHTS)[number];
export type Rights = Record<Right, boolean>;

const NONE: Rights = {
  can_pull: false,
  can_push: false,
  can_pull_external: false,
  can_push_external: false,
};

export interface Cell {
  folderId: string;
  groupId: string;
}

/** What cells were switched to, by folder and group. */
export type Switched = Readonly<Record<string, Rights>>;

export interface Change extends Cell {
  rights: Rights;
  /** How many of the four differ. */
  differing: number;
  /** Nothing is left: the entry goes. */
  empty: boolean;
}

const keyOf = ({ folderId, groupId }: Cell) => `${folderId}/${groupId}`;

export function granted(folder: Folder, groupId: string): Rights {
  const entry = folder.permissions.find(({ group_id }) => group_id === groupId);
  if (!entry) return NONE;
  const { can_pull, can_push, can_pull_external, can_push_external } = entry;
  return { can_pull, can_push, can_pull_external, can_push_external };
}

export function shown(folder: Folder, groupId: string, switched: Switched): Rights {
  return switched[keyOf({ folderId: folder.id, groupId })] ?? granted(folder, groupId);
}

export function toggle(
  folder: Folder,
  groupId: string,
  right: Right,
  switched: Switched,
): Switched {
  const rights = shown(folder, groupId, switched);
  return {
    ...switched,
    [keyOf({ folderId: folder.id, groupId })]: { ...rights, [right]: !rights[right] },
  };
}

/** What must be saved: a right switched twice is as it was. */
export function changes(folders: readonly Folder[], switched: Switched): Change[] {
  return Object.entries(switched).flatMap(([key, rights]) => {
    const [folderId = '', groupId = ''] = key.split('/');
    const folder = folders.find(({ id }) => id === folderId);
    if (!folder) return [];
    const before = granted(folder, groupId);
    const differing = RIGHTS.filter((right) => before[right] !== rights[right]).length;
    if (differing === 0) return [];
    return [
      { folderId, groupId, rights, differing, empty: RIGHTS.every((right) => !rights[right]) },
    ];
  });
}

export interface GridPosition {
  row: number;
  column: number;
}

const STEPS: Readonly<Record<string, (at: GridPosition, last: GridPosition) => GridPosition>> = {
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
  PageUp: ({ column }) => ({ row: 0, column }),
  PageDown: ({ column }, last) => ({ row: last.row, column }),
};

/** Where a key leads in the grid, never out of it; null for a key that isn't for moving. */
export function step(key: string, at: GridPosition, last: GridPosition): GridPosition | null {
  const to = STEPS[key]?.(at, last);
  if (!to) return null;
  return { row: within(to.row, last.row), column: within(to.column, last.column) };
}

function within(index: number, last: number): number {
  return Math.max(0, Math.min(index, last));
}
