import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { refetchLists } from './refetch-lists.ts';

const queryKey = ['list'];

/** A list of pages that end as the test says. */
function openList() {
  const queries = new QueryClient();
  const asked: number[] = [];
  const ends: (() => void)[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey,
    queryFn: ({ pageParam }) => {
      asked.push(pageParam);
      return new Promise<string>((resolve) => ends.push(() => resolve(`page ${pageParam}`)));
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) => pages.length,
  });
  const close = observer.subscribe(() => {});
  const pages = () => observer.getCurrentResult().data?.pages;
  return { queries, observer, asked, pages, close, end: () => ends.shift()?.() };
}

it('a further page is loaded before the list is fetched again', async () => {
  const { queries, observer, asked, pages, close, end } = openList();
  end();
  await expect.poll(pages).toEqual(['page 0']);
  void observer.fetchNextPage();
  const refetched = refetchLists(queries, queryKey);
  await expect.poll(() => asked).toEqual([0, 1]);
  end();
  await expect.poll(pages).toEqual(['page 0', 'page 1']);
  await expect.poll(() => asked).toEqual([0, 1, 0]);
  end();
  await expect.poll(() => asked).toEqual([0, 1, 0, 1]);
  end();
  await refetched;
  expect(pages()).toEqual(['page 0', 'page 1']);
  close();
});

it('a list that loads nothing is fetched again at once', async () => {
  const { queries, asked, pages, close, end } = openList();
  end();
  await expect.poll(pages).toEqual(['page 0']);
  const refetched = refetchLists(queries, queryKey);
  expect(asked).toEqual([0, 0]);
  end();
  await refetched;
  close();
});
