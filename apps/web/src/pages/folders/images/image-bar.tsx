/** The actions for selected images of a folder: scans, and deletion after a delay for undo. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconShieldSearch } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { entryList } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { useScanOrders } from '../../images/standing/use-scan-orders.tsx';
import type { ImageEntry } from './image-entry.ts';
import { useImageRemoval } from './use-image-removal.ts';

interface ImageBarProps {
  /** Those of the page. */
  images: readonly ImageEntry[];
  selection: SelectedRows;
  /** Absent where the page has them all. */
  others: { total: number; all(): Promise<ImageEntry[]> } | undefined;
  canScan: boolean;
  mayPush: boolean;
}

export function ImageBar({ images, selection, others, canScan, mayPush }: ImageBarProps) {
  const { images: t, scan: label } = useMessages('rowActs');
  const { order, question } = useScanOrders(LOCAL_REGISTRY_ID);
  const remove = useImageRemoval();
  return (
    <>
      <EntryBar<ImageEntry>
        list={entryList(images, selection, others)}
        acts={canScan ? [{ label, icon: IconShieldSearch, run: order }] : []}
        removal={mayPush ? { ...t, run: remove } : undefined}
      />
      {question}
    </>
  );
}
