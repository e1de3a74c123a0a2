/**
 * An exporter that reports its failures to us: the SDK would write them to its own log, and with
 * the answer of the collector in it.
 */
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Of `@opentelemetry/core`, which is no dependency for one number. */
const SUCCESS = 0;

export function reporting(exporter: SpanExporter, failed: (reason: string) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS) failed(reasonOf(result.error));
        done({ code: SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** The status of an answer, or the code of the system; never the words of the collector. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'number') return `HTTP ${code}`;
  if (typeof code === 'string') return code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
