/** The deletion of selected repositories, after a question and a delay for undo. */

import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ImageRepository } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../../api/api.ts';
import { useFormat, useMessages, useWords } from '../../../i18n/messages.ts';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import type { SelectableList } from '../../../kit/list/list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { rowOfRepository } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';
import type { RefusalOf } from '../write-refusal.ts';
import classes from './removal.module.css';
import { type KeptRepository, type RemovalResult, removalResultOf } from './removal-result.ts';

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

/** What is deleted with repositories: how many tags and bytes. */
function RemovedExtent({ repositories }: { repositories: readonly ImageRepository[] }) {
  const [t, format] = useWords('images');
  const count = repositories.length;
  const tags = sumOf(repositories.map(({ tag_count }) => tag_count));
  const size = sumOf(repositories.map((each) => each.size));
  if (tags === null || size === null) return t.removal.textOfUnknown(count);
  return (
    <>
      <Text>{t.removal.text(count, t.tagCount(tags), format.bytes(size))}</Text>
      <Dimmed mt={4}>{t.removal.shared}</Dimmed>
    </>
  );
}

/** Null where one of them is not known, as of other registries. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

/** Deletes repositories after a delay for undo, with one request for each. */
function useRemoval(registryId: string): (names: readonly string[]) => void {
  const t = useMessages('images');
  const queries = useQueryClient();
  const start = useDelayedRequests();
  const report = useRemovalNotice();
  return (names) =>
    start({
      name: 'images.removeRepository',
      requests: names.map((repository) => ({
        params: { registry_id: registryId },
        query: { repository },
      })),
      changes: 'images.listImages',
      hides: names.map((repository) => rowOfRepository({ registryId, repository })),
      message: t.removal.pending(names.length),
      onResults(results) {
        const result = removalResultOf(names, results);
        report(result);
        imagesChanged(queries);
        // A right may have been withdrawn.
        if (result.left > 0)
          void queries.invalidateQueries({ queryKey: keyOf('folders.listWritable') });
      },
    });
}

/** Others are counted by their reason. */
const MOST_NAMED = 8;

/** Nothing where all were deleted: the list shows it. */
function useRemovalNotice(): (result: RemovalResult) => void {
  const t = useMessages('bulk');
  return ({ done, left, kept }) => {
    if (left === 0) return;
    notifications.show({
      title: t.partly(done, left),
      color: 'red',
      autoClose: 20_000,
      role: 'alert',
      message: <Reasons kept={kept} />,
    });
  };
}

function Reasons({ kept }: { kept: readonly KeptRepository[] }) {
  const t = useMessages('images');
  const { colon } = useFormat();
  const { codes } = useMessages('fault');
  const others = Map.groupBy(kept.slice(MOST_NAMED), ({ code }) => code);
  return (
    <ul className={classes.reasons}>
      {kept.slice(0, MOST_NAMED).map(({ name, tags, code }) => (
        <li key={`${name} ${code}`}>
          <b>{name}</b>
          {tags !== null && ` (${t.removal.tagsKept(tags)})`}
          {colon}
          {codes[code] ?? code}
        </li>
      ))}
      {[...others].map(([code, { length }]) => (
        <li key={code}>
          {length}
          {colon}
          {codes[code] ?? code}
        </li>
      ))}
    </ul>
  );
}
