/** The deletion of selected repositories, after a question and a delay for undo. */
import type { ImageRepository } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { entryList } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import type { RefusalOf } from '../write-refusal.ts';
import { allRepositories } from './all-repositories.ts';
import { RemovedExtent } from './removed-extent.tsx';
import { entryOfRepository } from './repository-entry.ts';
import { useRemoval } from './use-removal.ts';

interface RepositoryBarProps {
  registryId: string;
  /** Those of the page that the account may delete. */
  repositories: readonly ImageRepository[];
  refusalOf: RefusalOf;
  /** What the list is searched for. */
  search: string;
  selection: SelectedRows;
  /** How many match; null where the page has them all, or the registry does not say. */
  total: number | null;
}

export function RepositoryBar({
  registryId,
  repositories,
  refusalOf,
  search,
  selection,
  total,
}: RepositoryBarProps) {
  const { removal: t } = useMessages('images');
  const remove = useRemoval(registryId);
  const all = async () => (await allRepositories(registryId, search)).map(entryOfRepository);
  return (
    <EntryBar
      list={entryList(
        repositories.map(entryOfRepository),
        selection,
        total === null ? undefined : { total, all },
      )}
      removal={{
        title: t.title,
        text: (doomed) => <RemovedExtent repositories={doomed} />,
        allows: (each) => refusalOf(each) === null,
        run: (doomed) => remove(doomed.map(({ name }) => name)),
      }}
    />
  );
}
