/** The REST client of the page, bound to its session. */
import { operations } from 'virtual:operations';
import type { RequestArgs } from '@portcullis/client/request';
import {
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { renewSession } from '../session/session.ts';
import { type AnswerFor, createClient, type OperationName, type RequestFor } from './client.ts';

export const { call, page, text, open, leave, url } = createClient({
  operations,
  fetch: (...args) => globalThis.fetch(...args),
  renew: renewSession,
});

export function keyOf<N extends OperationName>(name: N, request?: Partial<RequestFor<N>>) {
  return request === undefined ? [name] : [name, request];
}

/** For queries: the operation's name and request are the key. */
export function ask<N extends OperationName>(name: N, ...request: RequestArgs<N>) {
  return queryOptions<AnswerFor<N>>({
    queryKey: [name, ...request],
    queryFn: () => call(name, ...request),
  });
}

type Options<N extends OperationName, D> = Omit<
  UseQueryOptions<AnswerFor<N>, Error, D>,
  'queryKey' | 'queryFn'
>;
/** Operations that need no request take `undefined` before options. */
type Asked<N extends OperationName, D> =
  RequestArgs<N> extends [infer R]
    ? [request: R, options?: Options<N, D>]
    : [request?: RequestFor<N>, options?: Options<N, D>];

/** The answer of an operation, which other components with the same request share. */
export function useAnswer<N extends OperationName, D = AnswerFor<N>>(
  name: N,
  ...[request, options]: Asked<N, D>
): UseQueryResult<D> {
  const args = (request === undefined ? [] : [request]) as RequestArgs<N>;
  return useQuery({ ...ask(name, ...args), ...options } as UseQueryOptions<AnswerFor<N>, Error, D>);
}
