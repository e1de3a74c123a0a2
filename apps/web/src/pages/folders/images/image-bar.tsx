/** The actions for selected images of a folder: scans, and deletion after a delay for undo. */
import type { FolderImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconShieldSearch } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf, page } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNamedNotice } from '../../../kit/action/bulk-notice.tsx';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { addPendingAct } from '../../../kit/action/pending-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { entryKey } from '../../../kit/selection/entry.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { tagRemovals } from '../../images/removal/tag-removals.ts';
import { useScanOrders } from '../../images/standing/use-scan-orders.tsx';
import { imagesChanged } from '../../images/use-image-change.ts';
import type { ImageEntry } from './image-entry.ts';
import { imageRemovalOf } from './image-removal.ts';

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

interface Doomed {
  images: readonly ImageEntry[];
  steps: readonly { image: ImageEntry; request: ReturnType<typeof tagRemovals>[number] }[];
}

/** Deletes images with all their tags after a delay for undo. The list hides them at once. */
function useImageRemoval(): (images: readonly ImageEntry[]) => void {
  const { images: t } = useMessages('rowActs');
  const queries = useQueryClient();
  const notices = useNotices();
  const start = useDelayedRequests();
  const report = useNamedNotice();

  function begin({ images, steps }: Doomed): void {
    start({
      name: 'images.removeImageTags',
      requests: steps.map(({ request }) => request),
      changes: 'folders.listFolderImages',
      hides: images.map(entryKey),
      message: t.remove(images.length),
      onResults(results) {
        report(
          imageRemovalOf(
            steps.map(({ image }) => image),
            results,
          ),
        );
        imagesChanged(queries);
        void queries.invalidateQueries({ queryKey: keyOf('folders.getFolderOverview') });
      },
    });
  }

  const { mutate } = useMutation({
    mutationFn: async (images: readonly ImageEntry[]): Promise<Doomed> => ({
      images,
      steps: await stepsOf(images),
    }),
    // Until the delay begins, the end of the session deletes nothing.
    onMutate: (images) =>
      addPendingAct({ hides: images.map(entryKey), finish: () => Promise.resolve() }),
    onSuccess: begin,
    onError: notices.fault,
    onSettled: (_doomed, _error, _images, show) => show?.(),
  });
  return mutate;
}

async function stepsOf(images: readonly ImageEntry[]): Promise<Doomed['steps']> {
  const steps: Doomed['steps'][number][] = [];
  for (const image of images) {
    const place = { registryId: LOCAL_REGISTRY_ID, repository: image.repository };
    for (const request of tagRemovals(place, await tagsOf(image), image.digest))
      steps.push({ image, request });
  }
  return steps;
}

/** The list of a folder has the first ones of each image. */
async function tagsOf({ repository, digest, tags, tag_count }: ImageEntry): Promise<string[]> {
  if (tag_count <= tags.length) return tags;
  const params = { registry_id: LOCAL_REGISTRY_ID };
  const all = await everyPage((query) =>
    page('images.listImageTags', { params, query: { repository, q: digest, ...query } }),
  );
  return all.filter((each) => each.digest === digest).map(({ tag }) => tag);
}
