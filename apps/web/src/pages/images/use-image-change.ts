/** A mutation that invalidates the queries about images. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/api.ts';
import { useNotices } from '../../kit/action/notices.ts';

interface Change<V, T> {
  run(variables: V): Promise<T>;
  done?(answer: T, variables: V): string | null;
  after?(answer: T): void;
}

const CHANGED = [
  'images.listImages',
  'images.listImageTree',
  'images.listImageTags',
  'images.getImage',
  'images.findImageTag',
  'images.getImageStanding',
  'folders.getFolderTrend',
] as const;

export function imagesChanged(queries: QueryClient): void {
  for (const name of CHANGED) void queries.invalidateQueries({ queryKey: keyOf(name) });
}

export function useImageChange<V = void, T = unknown>({ run, done, after }: Change<V, T>) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: run,
    onSuccess(answer, variables) {
      imagesChanged(queries);
      const message = done?.(answer, variables) ?? null;
      if (message !== null) notices.done(message);
      after?.(answer);
    },
  });
}
