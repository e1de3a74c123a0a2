/** The action for selected repositories: deletion, after a confirmation and a delay for undo. */
import type { ImageRepository } from '@portcullis/contract';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../../kit/table/selection-bar.tsx';
import { useChosenRows } from '../../../kit/table/use-chosen-rows.ts';
import { repositoryKey } from '../repository-table.tsx';
import type { RefusalOf } from '../write-refusal.ts';
import { allRepositories } from './all-repositories.ts';
import { RemoveRepositoriesDialog } from './remove-repositories-dialog.tsx';
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

interface Question {
  repositories: ImageRepository[];
  leftOut: number;
}

/** Also the question, which the end of the selection leaves open. */
export function RepositoryBar({
  registryId,
  repositories,
  refusalOf,
  search,
  selection,
  total,
}: RepositoryBarProps) {
  const t = useMessages('bulk');
  const remove = useRemoval(registryId);
  const [question, setQuestion] = useState<Question | null>(null);
  const { isPending, find } = useChosenRows(selection, {
    rows: repositories,
    keyOf: repositoryKey,
    all: () => allRepositories(registryId, search),
  });

  function ask(found: readonly ImageRepository[]): void {
    const allowed = found.filter((each) => refusalOf(each) === null);
    if (allowed.length === 0) selection.clear();
    else setQuestion({ repositories: allowed, leftOut: found.length - allowed.length });
  }

  function confirm(chosen: readonly ImageRepository[]): void {
    setQuestion(null);
    selection.clear();
    remove(chosen.map(repositoryKey));
  }

  return (
    <>
      {selection.ids.length > 0 && (
        <SelectionBar
          selection={selection}
          total={total}
          buttons={[
            {
              label: t.remove,
              icon: IconTrash,
              danger: true,
              disabled: isPending,
              run: () => find(ask),
            },
          ]}
        />
      )}
      {question && (
        <RemoveRepositoriesDialog
          {...question}
          onConfirm={() => confirm(question.repositories)}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}
