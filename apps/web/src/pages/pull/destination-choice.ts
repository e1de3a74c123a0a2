/** The choice of a destination as one text, which selects need. */
import type { JobDestinationView, Registry } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';

export const NO_DESTINATION = '';
const FOLDER = 'folder:';
const REGISTRY = 'registry:';

const folderChoice = (name: string): string => `${FOLDER}${name}`;

const registryChoice = (id: string): string => `${REGISTRY}${id}`;

interface Places {
  /** That the account may push to. */
  folders: readonly string[];
  registries: readonly Pick<Registry, 'id' | 'name' | 'host'>[];
}

/** What a select offers, in groups by the kind of the destination; empty groups are left out. */
export function destinationChoices(
  { folders, registries }: Places,
  words: { none: string; folders: string; registries: string },
) {
  const groups = [
    {
      group: words.folders,
      items: folders
        .filter((name) => name !== ROOT_FOLDER)
        .map((name) => ({ value: folderChoice(name), label: name })),
    },
    {
      group: words.registries,
      items: registries.map(({ id, name, host }) => ({
        value: registryChoice(id),
        label: `${name} (${host})`,
      })),
    },
  ];
  return [
    { value: NO_DESTINATION, label: words.none },
    ...groups.filter(({ items }) => items.length > 0),
  ];
}

export function lastChoice(last: JobDestinationView | null): string {
  if (last?.kind === 'registry') return registryChoice(last.registry_id ?? '');
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
