/** What a decision is about, from what is stored of a digest: the standing of an image, or none. */
import {
  ageOf,
  type JudgedSubject,
  type Policy,
  signaturesOf,
  standingOf,
  type ThreatFeeds,
} from '@portcullis/domain';
import type { DigestFacts, TaggedDigest } from '@portcullis/store';
import { hasFailedScan, NEVER_SCANNED } from './failed-scan.ts';
import type { GateRules } from './rules.ts';
import type { ImageInFolder } from './standing-cache.ts';

interface Judging {
  policy: Policy;
  waivers: GateRules['waivers'];
  feeds: ThreatFeeds;
  authorities: GateRules['authorities'];
  now: Date;
}

export function imageSubject(
  { digest, repository, folder }: ImageInFolder,
  known: DigestFacts,
  { policy, waivers, feeds, authorities, now }: Judging,
): JudgedSubject {
  const lastScanFailed = hasFailedScan(known, repository);
  const { report, sightedAt, signatures } = known;
  const image = { digest, repository, folder };
  const question = { policy, waivers, image, sightedAt, signatures, authorities, now };
  if (!report) {
    const { waitsUntil } = ageOf(question);
    const signed = signaturesOf(question);
    return { kind: 'image', standing: null, lastScanFailed, databaseAt: null, waitsUntil, signed };
  }
  const { facts } = report;
  const standing = standingOf({ ...question, facts, feeds });
  const { waitsUntil } = standing;
  const { databaseAt } = facts;
  return { kind: 'image', standing, lastScanFailed, databaseAt, waitsUntil, signed: standing };
}

/** For lists and background judgements, which ask no registry what a tagged manifest is. */
export function taggedSubject(
  image: TaggedDigest,
  known: DigestFacts = NEVER_SCANNED,
  judging: Judging,
): JudgedSubject {
  const { report } = known;
  const isArtifact = report ? report.facts.artifactType !== null : image.isArtifact;
  return isArtifact ? { kind: 'artifact' } : imageSubject(image, known, judging);
}
