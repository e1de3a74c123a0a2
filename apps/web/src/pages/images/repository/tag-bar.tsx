/** The actions for selected tags: deletion after a delay for undo, and scans. */
import type { ImageTag } from '@portcullis/contract';
import { IconShieldSearch, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useBulkNotice } from '../../../kit/action/bulk-notice.tsx';
import { mergedResult } from '../../../kit/action/bulk-steps.ts';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import type { SelectableList } from '../../../kit/list/list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { tagRemovals } from '../removal/tag-removals.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageScans } from '../standing/image-scans.tsx';
import { useWriteRefusal } from '../write-refusal.ts';
import { namingKept } from './kept-tags.ts';

interface TagBarProps {
  place: RepositoryLocation;
  list: SelectableList<ImageTag>;
}

export function TagBar({ place, list }: TagBarProps) {
  const t = useMessages('bulk');
  const { scan: scanLabel } = useMessages('rowActs');
  const remove = useRemoval(place);
  const refusal = useWriteRefusal(place);
  const { canScan, scan } = useImageScans();
  const scans = {
    label: scanLabel,
    icon: IconShieldSearch,
    run: (found: readonly ImageTag[]) => scan(oneOfEachDigest(found)),
  };
  return (
    <EntryBar
      list={list}
      acts={[
        ...(canScan ? [scans] : []),
        {
          label: t.remove,
          icon: IconTrash,
          danger: true,
          disabled: refusal !== null,
          run: (found) => remove(found.map(({ tag }) => tag)),
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
