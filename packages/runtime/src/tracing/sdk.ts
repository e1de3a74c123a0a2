/**
 * Records spans with the OpenTelemetry SDK and exports them over OTLP. Loaded only while tracing is
 * on. The SDK's global state is not used: what carries the open span is `trail.ts`.
 */
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { reporting } from './reporting-exporter.ts';
import type { TracingSettings } from './settings.ts';
import type { Attributes, OpenSpan, SpanOrder, SpanRef, Tracer } from './span.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

interface SdkOptions {
  url: string;
  settings: TracingSettings;
  /** Of the process: `service.name` and the like; the settings' attributes take precedence. */
  resource: Record<string, string>;
  /** Called with the reason of an export that failed, as often as it fails. */
  failed(reason: string): void;
}

export interface Sdk extends Tracer {
  /** Exports what is left. */
  close(): Promise<void>;
}

/** Of one request to the collector, with its retries. */
const EXPORT_MS = 10_000;
/** Spans that wait for the collector; further ones are dropped. */
const MOST_WAITING = 2_048;
const BATCH = 512;
const EVERY_MS = 2_000;
/** A longer value is cut. */
const LONGEST_VALUE = 512;

export async function openSdk({ url, settings, resource, failed }: SdkOptions): Promise<Sdk> {
  const exporter = await exporterOf(url, settings);
  const processor = new BatchSpanProcessor({
    exporter: reporting(exporter, failed),
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: EXPORT_MS + 5_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource, ...settings.OTEL_RESOURCE_ATTRIBUTES }),
    sampler: samplerOf(settings),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
  });
  const tracer = provider.getTracer('portcullis');

  return {
    start({ name, kind, attributes = {} }, parent) {
      const options = { kind: KINDS[kind], attributes: given(attributes) };
      return openSpan(tracer.startSpan(name, options, contextOf(parent)));
    },
    close: () => provider.shutdown(),
  };
}

async function exporterOf(url: string, settings: TracingSettings): Promise<SpanExporter> {
  const options = {
    url,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: EXPORT_MS,
  };
  const { OTLPTraceExporter } =
    settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter(options);
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanOrder['kind'], SpanKind>;

function samplerOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: TracingSettings): Sampler {
  const isByParent = name.startsWith('parentbased_');
  const root = rootSampler(isByParent ? name.slice('parentbased_'.length) : name, ratio);
  return isByParent ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

function contextOf(parent: SpanRef | null) {
  const found = parseTraceparent(parent?.traceparent);
  if (!found) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = found;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags });
}

function openSpan(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags: flags } = span.spanContext();
  return {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId, flags }),
    note: (attributes) => void span.setAttributes(given(attributes)),
    rename: (name) => void span.updateName(name),
    fail: (code) =>
      void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code),
    end: () => span.end(),
  };
}

function given(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
