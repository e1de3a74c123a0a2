/** The deletion of selected repositories, after a question and a delay for undo. */
import type { ImageRepository } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { RefusalOf } from '../write-refusal.ts';
import { RemovedExtent } from './removed-extent.tsx';
import { useRemoval } from './use-removal.tsx';

interface RepositoryBarProps {
  registryId: string;
  list: SelectableList<ImageRepository>;
  refusalOf: RefusalOf;
}

export function RepositoryBar({ registryId, list, refusalOf }: RepositoryBarProps) {
  const { removal: t } = useMessages('images');
  const remove = useRemoval(registryId);
  return (
    <EntryBar
      list={list}
      removal={{
        title: t.title,
        text: (doomed) => <RemovedExtent repositories={doomed} />,
        allows: (each) => refusalOf(each) === null,
        run: (doomed) => remove(doomed.map(({ name }) => name)),
      }}
    />
  );
}
