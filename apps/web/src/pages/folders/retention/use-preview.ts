/** Asks what a retention rule would remove now. */
import type { RetentionPreview, TagRetention } from '@portcullis/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/api.ts';

/** @param retention null: the saved rule */
export function usePreview(folder: string, retention: TagRetention | null) {
  return useQuery<RetentionPreview>({
    queryKey: ['folders.previewRetention', folder, retention],
    queryFn: () =>
      call('folders.previewRetention', {
        params: { folder_id: folder },
        body: retention === null ? {} : { retention },
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
