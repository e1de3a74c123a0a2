/**
 * The pages of a long list, loaded one after the other. While the first page of another filter
 * loads, the list keeps the pages of the filter before.
 */
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { AnswerPage } from './client.ts';

type Cursor = string | undefined;

/** How the pages of a list follow each other, for `useInfiniteQuery`. */
export const BY_CURSOR = {
  initialPageParam: undefined as Cursor,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
};

interface ListOptions<T>
  extends Pick<
    UseInfiniteQueryOptions<AnswerPage<T>, Error, InfiniteData<AnswerPage<T>>, QueryKey, Cursor>,
    'queryKey' | 'refetchInterval' | 'retry' | 'structuralSharing'
  > {
  queryFn(page: { pageParam: Cursor }): Promise<AnswerPage<T>>;
}

/**
 * New data is rendered concurrently: a table of thousands of rows in the place of a skeleton,
 * or of "nothing matches", would be one long task.
 */
export function useListPages<T>(options: ListOptions<T>) {
  const pages = useInfiniteQuery({
    ...options,
    ...BY_CURSOR,
    placeholderData: keepPreviousData,
  });
  const data = useDeferredValue(pages.data);
  return { ...pages, data };
}
