/** The actions for selected images of a folder: scans, and deletion after a delay for undo. */
import type { FolderImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconShieldSearch } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { useScanOrders } from '../../images/standing/use-scan-orders.tsx';
import type { ImageEntry } from './image-entry.ts';
import { useImageRemoval } from './use-image-removal.ts';

interface ImageBarProps {
  list: SelectableList<FolderImage>;
  canScan: boolean;
  mayPush: boolean;
}

export function ImageBar({ list, canScan, mayPush }: ImageBarProps) {
  const { images: t, scan: label } = useMessages('rowActs');
  const { order, question } = useScanOrders(LOCAL_REGISTRY_ID);
  const remove = useImageRemoval();
  const { keyOf, nameOf = keyOf } = list.table;
  const entries = (found: readonly FolderImage[]): ImageEntry[] =>
    found.map((image) => ({ ...image, id: keyOf(image), name: nameOf(image) }));
  const scan = (found: readonly FolderImage[]) => order(entries(found));
  return (
    <>
      <EntryBar
        list={list}
        acts={canScan ? [{ label, icon: IconShieldSearch, run: scan }] : []}
        removal={mayPush ? { ...t, run: (doomed) => remove(entries(doomed)) } : undefined}
      />
      {question}
    </>
  );
}
