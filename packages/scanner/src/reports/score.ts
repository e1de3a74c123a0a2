/** Chooses the CVSS score of a vulnerability. */
import { SEVERITIES, type Severity } from '@portcullis/domain';
import type { RawCvss, RawVulnerability } from './raw-report.ts';

export interface Score {
  cvssScore: number | null;
  cvssVector: string | null;
  cvssSource: string | null;
}

const NONE: Score = { cvssScore: null, cvssVector: null, cvssSource: null };

/**
 * Chooses the score of a vulnerability: that of the source that rated the severity, else NVD's,
 * else the highest.
 */
export function chooseScore({ CVSS, SeveritySource }: RawVulnerability): Score {
  const scores = Object.entries(CVSS ?? {}).flatMap(
    ([source, cvss]) => scoreOf(source, cvss) ?? [],
  );
  const from = (source: string | null | undefined) =>
    scores.find((score) => score.cvssSource === source);
  return from(SeveritySource) ?? from('nvd') ?? scores.reduce(higher, NONE);
}

/** The score of the newest CVSS version that the source gives. */
function scoreOf(source: string, cvss: RawCvss): Score | null {
  const versions = [
    [cvss.V40Score, cvss.V40Vector],
    [cvss.V3Score, cvss.V3Vector],
    [cvss.V2Score, cvss.V2Vector],
  ] as const;
  const newest = versions.find(([score]) => score !== null && score !== undefined);
  if (newest?.[0] === null || newest?.[0] === undefined) return null;
  return { cvssScore: newest[0], cvssVector: newest[1] ?? null, cvssSource: source };
}

function higher(one: Score, other: Score): Score {
  return (other.cvssScore ?? -1) > (one.cvssScore ?? -1) ? other : one;
}

export function parseSeverity(text: string | null | undefined): Severity {
  return SEVERITIES.find((severity) => severity === text?.toUpperCase()) ?? 'UNKNOWN';
}

/** `SEVERITIES` is ordered, most severe first. */
export function worse(one: Severity, other: Severity): Severity {
  return SEVERITIES.indexOf(one) <= SEVERITIES.indexOf(other) ? one : other;
}
