import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { refetched } from './refetched.ts';

it('waits for the fetch of a later change, which cancels its own', async () => {
  const queries = new QueryClient();
  const queryKey = ['list'];
  const answers: ((rows: string) => void)[] = [];
  const asked = () => expect.poll(() => answers.length);
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const forget = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {});
  answers[0]?.('before both');
  await expect.poll(() => queries.getQueryData(queryKey)).toBe('before both');
  const seen = refetched(queries, queryKey).then(() => queries.getQueryData(queryKey));
  await asked().toBe(2);
  void refetched(queries, queryKey);
  await asked().toBe(3);
  answers[1]?.('after the first');
  answers[2]?.('after both');
  expect(await seen).toBe('after both');
  forget();
});
