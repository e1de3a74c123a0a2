/** Tracing as a part of a process: off without an endpoint, and never a reason to wait or fail. */
import type { Part } from '../lifecycle.ts';
import type { Logger } from '../logger.ts';
import type { Sdk } from './sdk.ts';
import { endpointOf, type TracingSettings } from './settings.ts';
import { recordWith } from './traced.ts';

export interface TracingOptions {
  settings: TracingSettings;
  /** `api`, `worker` */
  process: string;
  instance: string;
  version: string;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** A collector that is down would otherwise write a line for each batch. */
const WARN_EVERY_MS = 60_000;
/** How long the last spans may hold up the end of a process. */
const CLOSE_MS = 2_000;

export function tracing({ settings, process, instance, version, log }: TracingOptions): Part {
  const url = endpointOf(settings);
  let sdk: Sdk | null = null;

  return {
    async start() {
      if (url === null) return;
      const { openSdk } = await import('./sdk.ts');
      const resource = {
        'service.name': settings.OTEL_SERVICE_NAME ?? `portcullis-${process}`,
        'service.namespace': 'portcullis',
        'service.instance.id': instance,
        'service.version': version,
      };
      const { host } = new URL(url);
      sdk = await openSdk({ url, settings, resource, failed: warnings(log, host) });
      recordWith(sdk);
      log.info({ collector: host }, 'traces are recorded');
    },
    async stop() {
      recordWith(null);
      if (!sdk) return;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([sdk.close().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

function warnings(log: Pick<Logger, 'warn'>, collector: string): (reason: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return (reason) => {
    failures += 1;
    const now = performance.now();
    if (now - last < WARN_EVERY_MS) return;
    log.warn({ collector, reason, failures }, 'traces could not be exported');
    last = now;
    failures = 0;
  };
}
