/** Deletes repositories after a delay for undo, with one request for each. */
import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useDelayedRequests } from '../../../kit/action/delayed-requests.tsx';
import { rowOfRepository } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';
import { useRemovalNotice } from './removal-notice.tsx';
import { removalResultOf } from './removal-result.ts';

export function useRemoval(registryId: string): (names: readonly string[]) => void {
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
          void queries.invalidateQueries({ queryKey: keyOf('folders.listPushable') });
      },
    });
}
