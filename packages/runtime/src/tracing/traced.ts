/** What the rest of the code calls to record spans. Nothing happens while tracing is off. */
import { isAppError } from '@portcullis/errors';
import type { OpenSpan, SpanOrder, Tracer } from './span.ts';
import { remoteSpan } from './traceparent.ts';
import { along, trailNow } from './trail.ts';

let tracer: Tracer | null = null;

/** Null turns tracing off, as it is at the start of each process. */
export function recordWith(next: Tracer | null): void {
  tracer = next;
}

/** Below the open span of the running code. Null while tracing is off. The caller ends it. */
export function startSpan(order: SpanOrder): OpenSpan | null {
  return tracer?.start(order, trailNow().span) ?? null;
}

/** Runs `work` within a span, which ends with it. Without tracing it only runs `work`. */
export async function traced<T>(
  order: SpanOrder,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(order);
  if (!span) return work(null);
  try {
    return await along({ span }, () => work(span));
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs `work` in the trace of another process. Without a valid header a new trace may begin. */
export function continuingTrace<T>(traceparent: string | null | undefined, work: () => T): T {
  return tracer ? along({ span: remoteSpan(traceparent) }, work) : work();
}

/** A code, because messages repeat words of other hosts. */
export function codeOf(error: unknown): string {
  if (isAppError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** The W3C header that continues the trace of the running code; null where nothing is traced. */
export function traceparentNow(): string | null {
  return trailNow().span?.traceparent ?? null;
}

/** The field by which a log line leads to its trace; none where nothing is traced. */
export function traceFields(): { trace_id?: string } {
  const { span } = trailNow();
  return span ? { trace_id: span.traceId } : {};
}
