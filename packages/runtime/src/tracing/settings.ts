/**
 * The variables of the OpenTelemetry specification that are read:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
import { z } from 'zod';
import { secret } from '../env.ts';
import { flag, webUrl } from '../env-kinds.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const TRACING_ENV = {
  /** Without it, and without the one for traces, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: secret(pairs()),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: flag(false),
};

const TracingEnv = z.object(TRACING_ENV);
export type TracingSettings = z.output<typeof TracingEnv>;

/** Where traces are sent; null: nowhere. */
export function endpointOf({
  OTEL_SDK_DISABLED: disabled,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: forTraces,
  OTEL_EXPORTER_OTLP_ENDPOINT: base,
}: TracingSettings): string | null {
  if (disabled) return null;
  if (forTraces !== undefined) return forTraces;
  return base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}

/** `name=value,other=value`, with percent-encoded values. */
function pairs() {
  return z
    .string()
    .default('')
    .transform((text, context): Record<string, string> => {
      const words = text.split(',').filter((word) => word.trim() !== '');
      const entries = words.map(pairOf);
      if (entries.every((entry) => entry !== null)) return Object.fromEntries(entries);
      context.addIssue({ code: 'custom', message: 'expected name=value,name=value' });
      return z.NEVER;
    });
}

function pairOf(word: string): [string, string] | null {
  const at = word.indexOf('=');
  const name = word.slice(0, at).trim();
  if (at < 1 || name === '') return null;
  try {
    return [name, decodeURIComponent(word.slice(at + 1).trim())];
  } catch {
    return null;
  }
}
