/** Metrics of deliveries. */
import type { Metrics } from '@portcullis/runtime';
import type { ChannelState } from './channel.ts';

/** Metrics of deliveries. The lag is a metric of the api, because it doesn't depend on a reader. */
export function measureDeliveries(
  metrics: Pick<Metrics, 'gauge' | 'total'>,
  channels: Record<string, { state(): Pick<ChannelState, 'delivered' | 'failing' | 'refused'> }>,
): void {
  const all = Object.entries(channels);
  metrics.total('deliveries_total', 'Audit events that this process delivered', {
    labels: ['collector'],
    read: async () =>
      all.map(([collector, { state }]) => ({ labels: { collector }, value: state().delivered })),
  });
  metrics.total('deliveries_refused_total', 'Audit events that a collector refused for good', {
    labels: ['collector'],
    read: async () =>
      all.map(([collector, { state }]) => ({ labels: { collector }, value: state().refused })),
  });
  metrics.gauge('delivery_failing', '1 while a collector does not take what it is given', {
    labels: ['collector'],
    read: async () =>
      all.map(([collector, { state }]) => ({
        labels: { collector },
        value: state().failing === null ? 0 : 1,
      })),
  });
}
