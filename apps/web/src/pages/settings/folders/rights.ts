/** The permission matrix as data: granted rights and unsaved changes. */
import type { Folder } from '@portcullis/contract';

export const RIGHTS = ['can_pull', 'can_push', 'can_pull_external', 'can_push_external'] as const;
export type FolderRight = (typeof RIGHTS)[number];
export type FolderRights = Record<FolderRight, boolean>;

const NONE: FolderRights = {
  can_pull: false,
  can_push: false,
  can_pull_external: false,
  can_push_external: false,
};

interface Cell {
  folderId: string;
  groupId: string;
}

/** Unsaved cells, by folder and group. */
export type Switched = Readonly<Record<string, FolderRights>>;

export interface Change extends Cell {
  rights: FolderRights;
  /** The number of changed rights. */
  differing: number;
  /** No right is left: the grant is deleted. */
  empty: boolean;
}

const keyOf = ({ folderId, groupId }: Cell) => `${folderId}/${groupId}`;

export function granted(folder: Folder, groupId: string): FolderRights {
  const entry = folder.permissions.find(({ group_id }) => group_id === groupId);
  if (!entry) return NONE;
  const { can_pull, can_push, can_pull_external, can_push_external } = entry;
  return { can_pull, can_push, can_pull_external, can_push_external };
}

export function shown(folder: Folder, groupId: string, switched: Switched): FolderRights {
  return switched[keyOf({ folderId: folder.id, groupId })] ?? granted(folder, groupId);
}

export function toggle(
  folder: Folder,
  groupId: string,
  right: FolderRight,
  switched: Switched,
): Switched {
  const rights = shown(folder, groupId, switched);
  return {
    ...switched,
    [keyOf({ folderId: folder.id, groupId })]: { ...rights, [right]: !rights[right] },
  };
}

/** The cells that differ from the saved ones. */
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

/** The position after a key press, within the grid; null for other keys. */
export function step(key: string, at: GridPosition, last: GridPosition): GridPosition | null {
  const to = STEPS[key]?.(at, last);
  if (!to) return null;
  return { row: within(to.row, last.row), column: within(to.column, last.column) };
}

function within(index: number, last: number): number {
  return Math.max(0, Math.min(index, last));
}

/** The entries whose displayed name contains the text, in whatever case. */
export function matching<T>(
  entries: readonly T[],
  text: string,
  nameOf: (entry: T) => string,
): T[] {
  const sought = text.trim().toLowerCase();
  return entries.filter((entry) => nameOf(entry).toLowerCase().includes(sought));
}
