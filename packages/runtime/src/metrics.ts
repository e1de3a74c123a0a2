/**
 * Prometheus metrics: counters and histograms that a process updates, and gauges that are read on
 * request.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type Labels = Record<string, string | number>;

export interface Metrics {
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counting<L>;
  histogram<L extends string>(
    name: string,
    help: string,
    options: { labels: readonly L[]; buckets: readonly number[] },
  ): Observing<L>;
  /** Called at each request; omitted from the answer where it fails. */
  gauge<L extends string>(name: string, help: string, options: ReadOnRequest<L>): void;
  /** As a gauge, of figures that only grow while the process runs. */
  total<L extends string>(name: string, help: string, options: ReadOnRequest<L>): void;
  /** In Prometheus' text format. */
  render(): Promise<string>;
  contentType: string;
}

interface ReadOnRequest<L extends string> {
  labels: readonly L[];
  read(): Promise<readonly Reading<L>[]>;
}

interface Counting<L extends string> {
  add(labels: Record<L, string | number>, by?: number): void;
}

interface Observing<L extends string> {
  observe(labels: Record<L, string | number>, value: number): void;
}

interface Reading<L extends string> {
  labels: Record<L, string | number>;
  value: number;
}

const PREFIX = 'portcullis_';

/** Gauges of prom-client that are named like counters, which promtool refuses. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Includes the process's own: memory, CPU, event loop. */
export function createMetrics({ defaults = true }: { defaults?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (defaults) collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const common = (name: string, help: string, labelNames: readonly string[]) => ({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
  });

  return {
    counter(name, help, labels) {
      const counter = new Counter<string>(common(name, help, labels));
      return { add: (of: Labels, by = 1) => counter.inc(of, by) };
    },

    histogram(name, help, { labels, buckets }) {
      const histogram = new Histogram<string>({
        ...common(name, help, labels),
        buckets: [...buckets],
      });
      return { observe: (of: Labels, value) => histogram.observe(of, value) };
    },

    gauge(name, help, { labels, read }) {
      new Gauge<string>({
        ...common(name, help, labels),
        async collect() {
          const readings = await read().catch(() => []);
          this.reset();
          for (const { labels: of, value } of readings) this.set(of, value);
        },
      });
    },

    total(name, help, { labels, read }) {
      new Counter<string>({
        ...common(name, help, labels),
        async collect() {
          const readings = await read().catch(() => []);
          this.reset();
          for (const { labels: of, value } of readings) this.inc(of, value);
        },
      });
    },

    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Which build this process is: a gauge of 1, by which panels find the processes of Portcullis. */
export function measureBuild(
  metrics: Pick<Metrics, 'gauge'>,
  build: { process: string; version: string; commit?: string | undefined },
): void {
  const labels = { ...build, commit: build.commit ?? '' };
  metrics.gauge('build_info', '1, with the process, its version and its commit', {
    labels: ['process', 'version', 'commit'],
    read: async () => [{ labels, value: 1 }],
  });
}
