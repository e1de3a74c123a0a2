/** The actions for selected tags: deletion after a delay for undo, and scans. */
import type { ImageTag } from '@portcullis/contract';
import { IconShieldSearch, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useBulkNotice } from '../../../kit/action/bulk-notice.tsx';
import { useDelayedAct } from '../../../kit/action/delayed-act.ts';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../../kit/table/selection-bar.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageScan } from '../standing/use-image-scan.ts';
import { useWriteRefusal } from '../write-refusal.ts';

/** As many as one request may have. */
const MOST_TAGS = 500;

interface TagBarProps {
  place: RepositoryLocation;
  tags: readonly ImageTag[];
  selection: SelectedRows;
}

export function TagBar({ place, tags, selection }: TagBarProps) {
  const t = useMessages('bulk');
  const act = useDelayedAct();
  const report = useBulkNotice();
  const refusal = useWriteRefusal(place);
  const { canScan, scanAll } = useImageScan(place);
  const { ids, clear } = selection;

  function remove(): void {
    act({
      name: 'images.removeImageTags',
      request: {
        params: { registry_id: place.registryId },
        query: { repository: place.repository },
        body: { tags: [...ids] },
      },
      changes: 'images.listImageTags',
      hides: ids.map((tag) => rowOfTag(place, tag)),
      message: t.tagsPending(ids.length),
      onAnswer: report,
    });
    clear();
  }

  function scan(): void {
    scanAll(tags.filter(({ tag }) => selection.has(tag)));
    clear();
  }

  const scans = { label: t.scan, icon: IconShieldSearch, run: scan };
  return (
    <SelectionBar
      selection={selection}
      total={null}
      buttons={[
        ...(canScan ? [scans] : []),
        {
          label: t.remove,
          icon: IconTrash,
          danger: true,
          disabled: refusal !== null || ids.length > MOST_TAGS,
          run: remove,
        },
      ]}
    />
  );
}

/** The name of a tag among the rows of all lists. */
export function rowOfTag({ registryId, repository }: RepositoryLocation, tag: string): string {
  return `${registryId}/${repository}:${tag}`;
}
