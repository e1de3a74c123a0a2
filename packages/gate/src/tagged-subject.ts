/** What is known of a tagged image, for lists and background judgements that need no registry. */
import { type JudgedSubject, type Policy, standingOf, type ThreatFeeds } from '@portcullis/domain';
import type { DigestFacts, TaggedDigest } from '@portcullis/store';
import { hasFailedScan, NEVER_SCANNED } from './failed-scan.ts';
import type { GateRules } from './rules.ts';

interface Judging {
  policy: Policy;
  waivers: GateRules['waivers'];
  feeds: ThreatFeeds;
  now: Date;
}

export function taggedSubject(
  { digest, repository, folder, isArtifact }: TaggedDigest,
  known: DigestFacts = NEVER_SCANNED,
  judging: Judging,
): JudgedSubject {
  const { report } = known;
  if (report ? report.facts.artifactType !== null : isArtifact) return { kind: 'artifact' };
  const lastScanFailed = hasFailedScan(known, repository);
  if (!report) return { kind: 'image', standing: null, lastScanFailed, databaseAt: null };
  const { facts } = report;
  const standing = standingOf({ ...judging, facts, image: { digest, repository, folder } });
  return { kind: 'image', standing, lastScanFailed, databaseAt: facts.databaseAt };
}
