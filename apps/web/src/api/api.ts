/** The REST client of the page, bound to its session. */
import { operations } from 'virtual:operations';
import type { RequestArgs } from '@portcullis/client/request';
import { queryOptions } from '@tanstack/react-query';
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

/** For `useQuery`: the operation's name and request are the key. */
export function ask<N extends OperationName>(name: N, ...request: RequestArgs<N>) {
  return queryOptions<AnswerFor<N>>({
    queryKey: [name, ...request],
    queryFn: () => call(name, ...request),
  });
}
