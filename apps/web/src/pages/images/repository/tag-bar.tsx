/** The actions for selected tags: deletion after a delay for undo, and scans. */
import type { ImageTag } from '@portcullis/contract';
import { IconShieldSearch, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useBulkNotice } from '../../../kit/action/bulk-notice.tsx';
import { mergedResult } from '../../../kit/action/bulk-steps.ts';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../../kit/table/selection-bar.tsx';
import { useChosenRows } from '../../../kit/table/use-chosen-rows.ts';
import { tagRemovals } from '../removal/tag-removals.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageScans } from '../standing/image-scans.tsx';
import { useWriteRefusal } from '../write-refusal.ts';
import { allTags } from './all-tags.ts';
import { namingKept } from './kept-tags.ts';
import type { TagConditions } from './repository-view.ts';
import { tagKey } from './tag-table.tsx';

interface TagBarProps {
  place: RepositoryLocation;
  /** The loaded ones. */
  tags: readonly ImageTag[];
  /** The filter of the list. */
  conditions: TagConditions;
  selection: SelectedRows;
  /** How many match; null where the registry does not say. */
  total: number | null;
}

export function TagBar({ place, tags, conditions, selection, total }: TagBarProps) {
  const t = useMessages('bulk');
  const { scan: scanLabel } = useMessages('rowActs');
  const remove = useRemoval(place);
  const refusal = useWriteRefusal(place);
  const { canScan, scan } = useImageScans();
  const all = () => allTags(place, conditions);
  const { isPending, start } = useChosenRows({
    table: { rows: tags, keyOf: tagKey, selection },
    all,
  });

  const scans = {
    label: scanLabel,
    icon: IconShieldSearch,
    disabled: isPending,
    run: () => start((found) => scan(oneOfEachDigest(found))),
  };
  return (
    <SelectionBar
      selection={selection}
      total={total}
      buttons={[
        ...(canScan ? [scans] : []),
        {
          label: t.remove,
          icon: IconTrash,
          danger: true,
          disabled: refusal !== null || isPending,
          run: () => start((found) => remove(found.map(({ tag }) => tag))),
        },
      ]}
    />
  );
}

function useRemoval(place: RepositoryLocation): (tags: readonly string[]) => void {
  const { tags: pending } = useMessages('rowActs');
  const { keptTags } = useMessages('images');
  const start = useDelayedRequests();
  const report = useBulkNotice();
  return (tags) => {
    const requests = tagRemovals(place, tags);
    start({
      name: 'images.removeImageTags',
      requests,
      changes: 'images.listImageTags',
      hides: tags.map((tag) => rowOfTag(place, tag)),
      message: pending(tags.length),
      onResults: (results) =>
        report(
          namingKept(
            mergedResult(
              results,
              requests.map(({ body }) => body.tags.length),
            ),
            results,
            keptTags,
          ),
        ),
    });
  };
}

function oneOfEachDigest(tags: readonly ImageTag[]): ImageTag[] {
  return [...new Map(tags.map((each) => [each.digest, each])).values()];
}

/** The name of a tag among the rows of all lists. */
export function rowOfTag({ registryId, repository }: RepositoryLocation, tag: string): string {
  return `${registryId}/${repository}:${tag}`;
}
