/** The choice of a destination as one text, which selects need. */
import type { JobDestinationView } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';

export const NO_DESTINATION = '';
const FOLDER = 'folder:';
const REGISTRY = 'registry:';

export const folderChoice = (name: string): string => `${FOLDER}${name}`;

export function lastChoice(last: JobDestinationView | null): string {
  if (last?.kind === 'registry') return `${REGISTRY}${last.registry_id ?? ''}`;
  const folder = last?.folder ?? ROOT_FOLDER;
  return folder === ROOT_FOLDER ? NO_DESTINATION : folderChoice(folder);
}

/** The field of the request; nothing where none is chosen. */
export function destinationFields(choice: string) {
  if (choice.startsWith(FOLDER)) return { destination: { folder: choice.slice(FOLDER.length) } };
  if (choice.startsWith(REGISTRY))
    return { destination: { external_registry_id: choice.slice(REGISTRY.length) } };
  return {};
}
