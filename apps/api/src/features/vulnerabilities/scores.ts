/** The scores by which vulnerabilities are ordered. */
import { riskOf, type ThreatFeeds } from '@portcullis/domain';

type ScoreOf = (id: string) => number | null;

/** Those that have one. */
export function scoresOf(ids: readonly string[], scoreOf: ScoreOf): Map<string, number> {
  const scores = new Map<string, number>();
  for (const id of ids) {
    const score = scoreOf(id);
    if (score !== null) scores.set(id, score);
  }
  return scores;
}

export function risksOf(ids: readonly string[], feeds: ThreatFeeds): Map<string, number> {
  return scoresOf(ids, (id) => riskOf(id, feeds));
}

/** What the feeds say about one of them, as callers see it. */
export function threatOf(id: string, { kev, epss }: ThreatFeeds) {
  return { kev: kev?.has(id) ?? null, epss: epss?.score(id) ?? null };
}
