/** Gauges of the signed statements about images. */
import type { Metrics } from '@portcullis/runtime';
import type { ProcessPorts } from './service.ts';

export function measureStatements(
  metrics: Metrics,
  { statements }: Pick<ProcessPorts, 'statements'>,
): void {
  metrics.gauge('image_statements', 'Signed statements about images, by what became of them', {
    labels: ['state'],
    async read() {
      const { signed, leftOut, failed, due } = await statements();
      const byState = { signed, left_out: leftOut, failed, due };
      return Object.entries(byState).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
}
