/** The contract, seen from the page: types only, so that none of its schemas come along. */
import type { contract, Operation, OutputOf, RequestOf } from '@portcullis/contract';

type Api = typeof contract;

/** `group.operation`, as in `packages/contract`. */
export type OperationName = { [G in keyof Api]: `${G}.${keyof Api[G] & string}` }[keyof Api];

type OperationOf<N> = N extends `${infer G extends keyof Api}.${infer O}`
  ? O extends keyof Api[G]
    ? Api[G][O]
    : never
  : never;

type Nothing = Record<never, never>;
type Required<R> = {
  [K in keyof R as [R[K]] extends [undefined] ? never : Nothing extends R[K] ? never : K]: R[K];
};
type Optional<R> = {
  [K in keyof R as [R[K]] extends [undefined] ? never : Nothing extends R[K] ? K : never]?: R[K];
};

/** What isn't asked for can't be given; what may be empty may be left out. */
export type RequestFor<N extends OperationName> =
  OperationOf<N> extends infer O extends Operation
    ? Required<RequestOf<O>> & Optional<RequestOf<O>>
    : never;

export type AnswerFor<N extends OperationName> =
  OperationOf<N> extends infer O extends Operation ? OutputOf<O> : never;

/** The second argument of a call: not even needed where nothing must be said. */
export type RequestArgs<N extends OperationName> =
  Nothing extends RequestFor<N> ? [request?: RequestFor<N>] : [request: RequestFor<N>];
