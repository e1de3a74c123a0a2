/** Requests a scan of several images of the built-in registry, one after the other. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { bulkResultOf } from '../../../kit/action/bulk-result.ts';
import { useNamedNotice } from '../../../kit/action/named-notice.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { settledInTurn } from '../../../kit/action/settled-in-turn.ts';
import { entryName } from '../../../kit/selection/entry.ts';
import { imagesChanged } from '../../images/use-image-change.ts';
import type { ImageEntry } from './image-entry.ts';

export function useScanOrders(): (images: readonly ImageEntry[]) => void {
  const { images: t } = useMessages('rowActs');
  const queries = useQueryClient();
  const notices = useNotices();
  const report = useNamedNotice();
  const { mutate } = useMutation({
    mutationFn: (images: readonly ImageEntry[]) =>
      settledInTurn(images, ({ repository, tags: [tag] }) =>
        call('trivy.scanImage', {
          body: { image: `${repository}:${tag}`, registry_id: LOCAL_REGISTRY_ID },
        }),
      ),
    onSuccess(results, images) {
      const result = bulkResultOf(results, images.map(entryName));
      if (result.done > 0) notices.done(t.scans(result.done));
      report(result);
    },
    async onSettled() {
      imagesChanged(queries);
      await queries.invalidateQueries({ queryKey: keyOf('trivy.listScans') });
    },
  });
  return mutate;
}
