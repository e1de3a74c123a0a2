/** Spans of traces, apart from the library that records them. */

export type Attributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanOrder {
  /** Of few different values: a route's template, never a path or an id. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Never a secret, a query string or a header. Null and undefined ones are left out. */
  attributes?: Attributes | undefined;
}

export interface SpanRef {
  traceId: string;
  /** The W3C header with which another process continues the trace below this span. */
  traceparent: string;
}

export interface OpenSpan extends SpanRef {
  note(attributes: Attributes): void;
  rename(name: string): void;
  /** @param code a stable word, never a message, which may have a secret */
  fail(code: string): void;
  end(): void;
}

/** Records spans. */
export interface Tracer {
  /** @param parent null: a new trace begins */
  start(order: SpanOrder, parent: SpanRef | null): OpenSpan;
}
