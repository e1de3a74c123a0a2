/** The actions for selected images of a folder: scans, and deletion after a delay for undo. */
import { IconShieldSearch } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import type { ImageEntry } from './image-entry.ts';
import { useImageRemoval } from './use-image-removal.ts';
import { useScanOrders } from './use-scan-orders.ts';

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
  const scan = useScanOrders();
  const remove = useImageRemoval();
  return (
    <EntryBar
      entries={images}
      selection={selection}
      others={others}
      acts={canScan ? [{ label, icon: IconShieldSearch, run: scan }] : []}
      removal={mayPush ? { ...t, run: remove } : undefined}
    />
  );
}
