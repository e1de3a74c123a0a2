/** Types derived from the contract. Types only, so that no schema is bundled. */
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

/** The parts of a request: parts that may be empty are optional. */
export type RequestFor<N extends OperationName> =
  OperationOf<N> extends infer O extends Operation
    ? Required<RequestOf<O>> & Optional<RequestOf<O>>
    : never;

export type AnswerFor<N extends OperationName> =
  OperationOf<N> extends infer O extends Operation ? OutputOf<O> : never;

/** The arguments of a call: the request is optional if all its parts are. */
export type RequestArgs<N extends OperationName> =
  Nothing extends RequestFor<N> ? [request?: RequestFor<N>] : [request: RequestFor<N>];
