/** The W3C header `traceparent`: https://www.w3.org/TR/trace-context/#traceparent-header */
import type { SpanRef } from './span.ts';

const FORM =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

interface TraceParent {
  traceId: string;
  spanId: string;
  flags: number;
}

/** Null for what is none. A later version may have more fields, which version 00 ignores. */
export function parseTraceparent(header: string | null | undefined): TraceParent | null {
  const found = FORM.exec(header ?? '');
  if (!found || (header?.startsWith('00') && found[4] !== undefined)) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & SAMPLED };
}

const SAMPLED = 1;

export function formatTraceparent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${flags & SAMPLED}`;
}

/** The span of another process, below which spans of this one begin. */
export function remoteSpan(header: string | null | undefined): SpanRef | null {
  const parent = parseTraceparent(header);
  return parent && { traceId: parent.traceId, traceparent: formatTraceparent(parent) };
}
