/** The steps of a first setup, and which of them are done. */
import type { ScannerState } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';

type SetupName = 'scanner' | 'image' | 'group' | 'folder' | 'account' | 'registry';

export interface SetupStep {
  name: SetupName;
  /** The page where it is done. */
  to: string;
  isDone: boolean;
}

/** Numbers of what exists; counting may stop at two. */
export interface SetupFacts {
  users: number;
  groups: number;
  /** Their names. */
  folders: readonly string[];
  registries: number;
  /** Jobs of any state. */
  jobs: number;
  scanner: Pick<ScannerState, 'enabled' | 'available'> | null;
}

/** In the order that they build on each other; without the scanner where it is off. */
export function setupSteps({ scanner, folders, ...counts }: SetupFacts): SetupStep[] {
  const steps: SetupStep[] = [
    { name: 'scanner', to: '/system', isDone: scanner?.available ?? false },
    { name: 'image', to: '/staging/new', isDone: counts.jobs > 0 },
    { name: 'group', to: '/settings/groups', isDone: counts.groups > 0 },
    { name: 'folder', to: '/settings/folders', isDone: folders.some(isOwn) },
    { name: 'account', to: '/settings/users', isDone: counts.users > 1 },
    { name: 'registry', to: '/registries', isDone: counts.registries > 0 },
  ];
  return steps.filter(({ name }) => name !== 'scanner' || scanner?.enabled !== false);
}

/** Every installation has the folder of repositories without one. */
const isOwn = (folder: string) => folder !== ROOT_FOLDER;
