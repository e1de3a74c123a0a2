/** Gauges of the standings of tagged images. */
import type { Metrics } from '@portcullis/runtime';
import type { StandingCounts } from '@portcullis/store';
import type { ProcessPorts } from './service.ts';

const STATES = ['passes', 'blocked', 'pending'] as const;
/** The gauges of one collection share a query. */
const SHARED_MS = 1_000;

export function measureStandings(
  metrics: Metrics,
  { standings, now }: Pick<ProcessPorts, 'standings' | 'now'>,
): void {
  const counts = shareReads(standings, now);
  metrics.gauge('image_standings', 'Tagged images, by what the policy of their folder says', {
    labels: ['state'],
    async read() {
      const counted = await counts();
      return STATES.map((state) => ({ labels: { state }, value: counted[state] }));
    },
  });
  metrics.gauge('images_in_grace', 'Tagged images that are blocked and still served', {
    labels: [],
    read: async () => [{ labels: {}, value: (await counts()).inGrace }],
  });
  metrics.gauge('image_grace_ends_seconds', 'Until the first of their grace periods ends', {
    labels: [],
    read: async () => secondsOf((await counts()).graceEndsAt, (end) => end - now()),
  });
  metrics.gauge(
    'image_standings_age_seconds',
    'Age of the oldest vulnerability database that the standing of a tagged image rests on',
    {
      labels: [],
      read: async () => secondsOf((await counts()).oldestDatabaseAt, (built) => now() - built),
    },
  );
}

function secondsOf(time: Date | null, ms: (time: number) => number) {
  return time === null ? [] : [{ labels: {}, value: ms(time.getTime()) / 1000 }];
}

function shareReads(
  read: () => Promise<StandingCounts>,
  now: () => number,
): () => Promise<StandingCounts> {
  let last: { at: number; counts: Promise<StandingCounts> } | null = null;
  return () => {
    if (last === null || now() - last.at > SHARED_MS) last = { at: now(), counts: read() };
    return last.counts;
  };
}
